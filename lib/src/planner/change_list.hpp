// Collects what differs between two documents.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "graphplan/plan.hpp"

namespace graphplan {

/// Values as people read them; nothing for an absent one.
std::string shown(Bytes bytes);
std::string shown_count(std::int64_t count);
std::string shown_number(double number);

class ChangeList {
  public:
    /// Adds a change unless both are equal. An empty text is an absent value.
    void compare(Change::Kind kind, const std::string& where, std::string_view what,
                 const std::string& before, const std::string& after, bool matters = true);

    void compare_bytes(Change::Kind kind, const std::string& where, std::string_view what,
                       std::optional<Bytes> before, std::optional<Bytes> after);
    void compare_counts(Change::Kind kind, const std::string& where, std::string_view what,
                        std::optional<std::int64_t> before, std::optional<std::int64_t> after);

    void compare_numbers(Change::Kind kind, const std::string& where, std::string_view what,
                         std::optional<double> before, std::optional<double> after, std::string_view unit,
                         bool matters);

    /// Environment (device, driver, libraries, backend, framework) and origin (tool, time, digests).
    void compare_provenance(const Provenance& before, const Provenance& after);

    /// Environment too.
    void compare_allocators(const AllocatorOptions& before, const AllocatorOptions& after);

    void add(Change change) { changes_.push_back(std::move(change)); }
    Difference take() { return {std::move(changes_)}; }

  private:
    void set_values(double before, double after);  ///< of the last change

    std::vector<Change> changes_;
};

/// The names that changed their place among those in both lists: as few as explain it. No name is twice
/// in a list.
std::vector<std::string> moved_names(const std::vector<std::string>& before,
                                     const std::vector<std::string>& after);

/// "llm: decode bs=64 tokens=64".
std::string place_of(const std::string& pool, const BucketKey& bucket);

}  // namespace graphplan
