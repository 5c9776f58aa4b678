#include "planner/change_list.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

#include <fmt/format.h>

namespace graphplan {
namespace {

using Texts = std::map<std::string, std::string>;

void compare_maps(ChangeList& changes, Change::Kind kind, std::string_view what, const Texts& before,
                  const Texts& after, bool matters) {
    std::set<std::string> names;
    for (const Texts* texts : {&before, &after}) {
        for (const auto& [name, value] : *texts) names.insert(name);
    }
    const auto value = [](const Texts& texts, const std::string& name) {
        const auto found = texts.find(name);
        return found == texts.end() ? std::string() : found->second;
    };
    for (const std::string& name : names) {
        changes.compare(kind, "provenance", fmt::format("{} {}", what, name), value(before, name),
                        value(after, name), matters);
    }
}

/// Positions of a longest increasing run of `values`, which are distinct.
std::vector<bool> longest_increasing(const std::vector<std::size_t>& values) {
    std::vector<std::size_t> ends;  // [length - 1]: where the run of that length with the smallest end ends
    std::vector<std::size_t> previous(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
        const auto end =
            std::lower_bound(ends.begin(), ends.end(), values[i],
                             [&](std::size_t at, std::size_t value) { return values[at] < value; });
        previous[i] = end == ends.begin() ? i : *std::prev(end);
        if (end == ends.end()) {
            ends.push_back(i);
        } else {
            *end = i;
        }
    }
    std::vector<bool> in_run(values.size());
    for (std::size_t left = ends.size(), at = ends.empty() ? 0 : ends.back(); left > 0; --left) {
        in_run[at] = true;
        at = previous[at];
    }
    return in_run;
}

}  // namespace

std::string shown(Bytes bytes) { return fmt::format("{} ({})", bytes, format_bytes(bytes)); }
std::string shown_count(std::int64_t count) { return fmt::format("{}", count); }
std::string shown_number(double number) { return fmt::format("{}", number); }

std::string place_of(const std::string& pool, const BucketKey& bucket) {
    return fmt::format("{}: {}", pool, to_string(bucket));
}

void ChangeList::compare(Change::Kind kind, const std::string& where, std::string_view what,
                         const std::string& before, const std::string& after, bool matters) {
    if (before != after)
        changes_.push_back({kind, where, std::string(what), before, after, {}, {}, matters, false});
}

void ChangeList::compare_bytes(Change::Kind kind, const std::string& where, std::string_view what,
                               std::optional<Bytes> before, std::optional<Bytes> after) {
    compare(kind, where, what, before ? shown(*before) : "", after ? shown(*after) : "");
    if (!before || !after || *before == *after) return;
    set_values(static_cast<double>(*before), static_cast<double>(*after));
    changes_.back().in_bytes = true;
}

void ChangeList::set_values(double before, double after) {
    changes_.back().old_value = before;
    changes_.back().new_value = after;
}

void ChangeList::compare_numbers(Change::Kind kind, const std::string& where, std::string_view what,
                                 std::optional<double> before, std::optional<double> after,
                                 std::string_view unit, bool matters) {
    const auto text = [&](const std::optional<double>& number) {
        return number ? shown_number(*number) + std::string(unit) : std::string();
    };
    compare(kind, where, what, text(before), text(after), matters);
    if (before && after && text(before) != text(after)) set_values(*before, *after);
}

void ChangeList::compare_counts(Change::Kind kind, const std::string& where, std::string_view what,
                                std::optional<std::int64_t> before, std::optional<std::int64_t> after) {
    compare(kind, where, what, before ? shown_count(*before) : "", after ? shown_count(*after) : "");
    if (before && after && *before != *after)
        set_values(static_cast<double>(*before), static_cast<double>(*after));
}

void ChangeList::compare_provenance(const Provenance& before, const Provenance& after) {
    using Kind = Change::Kind;
    const std::string where = "provenance";
    compare(Kind::environment, where, "backend", before.backend, after.backend);
    compare(Kind::environment, where, "device", before.device, after.device);
    compare_bytes(Kind::environment, where, "device total_bytes", before.device_total_bytes,
                  after.device_total_bytes);
    compare(Kind::environment, where, "driver", before.driver, after.driver);
    compare(Kind::environment, where, "framework", before.framework, after.framework);
    compare_maps(*this, Kind::environment, "library", before.libraries, after.libraries, true);
    compare(Kind::origin, where, "tool_version", before.tool_version, after.tool_version, false);
    compare(Kind::origin, where, "git_revision", before.git_revision, after.git_revision, false);
    compare(Kind::origin, where, "time", before.time, after.time, false);
    // Another model is another plan; costs, buckets and traffic show in what they changed.
    const auto digests = [](const Provenance& provenance, bool of_model) {
        Texts chosen = provenance.input_sha256;
        std::erase_if(chosen, [&](const auto& digest) { return (digest.first == "model") != of_model; });
        return chosen;
    };
    compare_maps(*this, Kind::environment, "sha256 of", digests(before, true), digests(after, true), true);
    compare_maps(*this, Kind::origin, "sha256 of", digests(before, false), digests(after, false), false);
}

void ChangeList::compare_allocators(const AllocatorOptions& before, const AllocatorOptions& after) {
    constexpr auto kind = Change::Kind::environment;
    const std::string where = "allocator";
    const auto flag = [](bool on) { return std::string(on ? "on" : "off"); };
    compare(kind, where, "expandable_segments", flag(before.expandable_segments),
            flag(after.expandable_segments));
    compare_counts(kind, where, "max_split_size_mb", before.max_split_size_mb, after.max_split_size_mb);
    compare_counts(kind, where, "roundup_power2_divisions", before.roundup_power2_divisions,
                   after.roundup_power2_divisions);
}

std::vector<std::string> moved_names(const std::vector<std::string>& before,
                                     const std::vector<std::string>& after) {
    std::unordered_map<std::string, std::size_t> places;
    for (std::size_t i = 0; i < before.size(); ++i) places.emplace(before[i], i);
    std::vector<std::size_t> values;
    std::vector<const std::string*> names;
    for (const std::string& name : after) {
        const auto found = places.find(name);
        if (found == places.end()) continue;
        values.push_back(found->second);
        names.push_back(&name);
    }
    const std::vector<bool> stays = longest_increasing(values);
    std::vector<std::string> moved;
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (!stays[i]) moved.push_back(*names[i]);
    }
    return moved;
}

}  // namespace graphplan
