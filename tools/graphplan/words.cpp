#include "words.hpp"

#include <algorithm>
#include <chrono>
#include <ostream>
#include <utility>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "backends.hpp"

namespace graphplan::cli {
namespace {

std::string time_now() {
    const auto now = std::chrono::time_point_cast<std::chrono::seconds>(std::chrono::system_clock::now());
    return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::chrono::system_clock::to_time_t(now)));
}

std::string with_bytes(const std::string& words, const EagerBucket& bucket) {
    std::string text = words;
    if (bucket.needs_bytes) text += fmt::format(", needs {}", format_bytes(*bucket.needs_bytes));
    if (bucket.short_bytes) text += fmt::format(", {} short", format_bytes(*bucket.short_bytes));
    return text;
}

std::string with_detail(const std::string& words, const EagerBucket& bucket) {
    return bucket.detail && !bucket.detail->empty() ? words + ": " + printable(*bucket.detail) : words;
}

}  // namespace

bool is_simulated(const Provenance& provenance) { return provenance.backend == "sim"; }

void stamp(Provenance& provenance, const std::map<std::string, std::string>& input_sha256) {
    provenance.tool_version = version();
    provenance.git_revision = git_revision();
    provenance.input_sha256 = input_sha256;
    if (!is_simulated(provenance)) provenance.time = time_now();
}

void print_simulated(std::ostream& out, const Paint& paint, const Provenance& provenance) {
    if (!is_simulated(provenance)) return;
    out << paint.yellow("simulated:") << " sim " << printable(profile_of(provenance.device))
        << ", no GPU was measured\n";
}

void print_simulated(std::ostream& out, const Paint& paint, const Capabilities& device) {
    Provenance provenance;
    provenance.backend = device.backend;
    provenance.device = device.name;
    print_simulated(out, paint, provenance);
}

void print_rows(std::ostream& out, const Paint& paint, const std::vector<Table::Column>& columns,
                std::vector<std::vector<std::string>> rows, bool everything) {
    const std::size_t shown = everything ? rows.size() : std::min(rows.size(), kRows);
    Table table(columns);
    for (std::size_t i = 0; i < shown; ++i) table.add(std::move(rows[i]));
    table.print(out, paint);
    if (shown < rows.size()) out << fmt::format("  … and {} more (-v shows them)\n", rows.size() - shown);
}

std::string label_of(const std::string& pool, const BucketKey& id) {
    return fmt::format("{}: {}", printable(pool), printable(to_string(id)));
}

std::string format_us(double us) {
    constexpr double ms = 1000;
    return us < ms ? fmt::format("{:.1f} us", us) : fmt::format("{:.3f} ms", us / ms);
}

void print_budget(std::ostream& out, const Paint& paint, const Budget& budget) {
    std::string source = budget.source;
    if (budget.fraction) source += fmt::format(", at most {:g} of the device", *budget.fraction);
    Table table({{"budget"}, {"", true}, {""}});
    table.add({"free", format_bytes(budget.free_bytes), printable(source)});
    table.add({"- floor", format_bytes(budget.floor_bytes), "the largest eager peak of all buckets"});
    table.add({"- one-off", format_bytes(budget.one_off_bytes), "what a process's first capture costs once"});
    table.add({"= room", format_bytes(budget.room_bytes), "for graphs"});
    table.add({"- graphs", format_bytes(budget.room_bytes - budget.room_left_bytes),
               "pools and executables, reuse taken off"});
    table.add({"= room left", format_bytes(budget.room_left_bytes)});
    table.print(out, paint);
}

std::string walk_label(const std::string& walk, const std::optional<std::string>& key) {
    return printable(key ? fmt::format("{}[{}]", walk, *key) : walk);
}

std::string shared_outputs_words(const PoolPlan& pool) {
    constexpr std::size_t most = 6;  // walks that are named
    std::string text;
    Bytes others = 0;
    for (std::size_t i = 0; i < pool.output_buffers.size(); ++i) {
        const OutputBuffer& buffer = pool.output_buffers[i];
        if (i >= most) {
            others += buffer.bytes;
            continue;
        }
        text += fmt::format("{}{} {}", text.empty() ? "outputs shared: " : ", ",
                            walk_label(buffer.walk, buffer.key), format_bytes(buffer.bytes));
    }
    const std::size_t more = pool.output_buffers.size() - std::min(pool.output_buffers.size(), most);
    return more > 0 ? text + fmt::format(", {} more {}", more, format_bytes(others)) : text;
}

std::string reason_words(const EagerBucket& bucket) {
    switch (bucket.reason) {
        case EagerReason::does_not_fit: return with_bytes("does not fit", bucket);
        case EagerReason::floor_does_not_fit: return with_bytes("the floor alone does not fit", bucket);
        case EagerReason::not_captured: return with_detail("could not be captured", bucket);
        case EagerReason::denied: return with_detail("denied", bucket);
        case EagerReason::not_worth_it: return with_detail("not worth its memory", bucket);
        case EagerReason::dropped_on_rank:
            return with_bytes(
                bucket.rank ? fmt::format("rank {} left it out", *bucket.rank) : "a rank left it out",
                bucket);
    }
    return "";
}

std::int64_t more_mib(Bytes short_bytes) { return round_up(std::max<Bytes>(short_bytes, 0), kMiB) / kMiB; }

std::string shell_word(const std::string& path) {
    constexpr std::string_view plain =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./+=:,@%";
    if (!path.empty() && path.find_first_not_of(plain) == std::string::npos) return path;
    std::string word = "'";
    for (const char c : path) word += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return word + "'";
}

void print_next(std::ostream& out, const Paint& paint, std::string_view command) {
    out << paint.bold("next:") << ' ' << command << '\n';
}

}  // namespace graphplan::cli
