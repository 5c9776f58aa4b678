// Lines that several commands say, in one wording.
#pragma once

#include <iosfwd>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "graphplan/costs.hpp"
#include "graphplan/device.hpp"
#include "graphplan/plan.hpp"
#include "terminal.hpp"

namespace graphplan::cli {

/// Rows that a table shows without -v; the rest are counted.
inline constexpr std::size_t kRows = 40;

/// Whether a document's figures come from the simulated GPU.
bool is_simulated(const Provenance& provenance);

/// Which tool and inputs a document comes from and, on a real device, when it was made.
void stamp(Provenance& provenance, const std::map<std::string, std::string>& input_sha256);

/// "simulated: sim h200, no GPU was measured", or nothing for figures from a real device.
void print_simulated(std::ostream& out, const Paint& paint, const Provenance& provenance);

/// The same for what was captured on a device.
void print_simulated(std::ostream& out, const Paint& paint, const Capabilities& device);

/// A table's first rows and how many more there are; all with `everything`.
void print_rows(std::ostream& out, const Paint& paint, const std::vector<Table::Column>& columns,
                std::vector<std::vector<std::string>> rows, bool everything);

/// "llm: decode bs=4 tokens=4", as a terminal can take it.
std::string label_of(const std::string& pool, const BucketKey& id);

/// "312.4 us" or "3.124 ms".
std::string format_us(double us);

/// "decode" or "decode[cfg]".
std::string walk_label(const std::string& walk, const std::optional<std::string>& key);

/// The budget as a sum, a line for each part.
void print_budget(std::ostream& out, const Paint& paint, const Budget& budget);

/// "outputs shared: decode 64.0 MiB", or nothing where a pool has no such buffers.
std::string shared_outputs_words(const PoolPlan& pool);

/// Why a bucket stays eager, with the bytes or the rank that explain it.
std::string reason_words(const EagerBucket& bucket);

/// Whole MiB of additional free memory that would make up for a shortfall.
std::int64_t more_mib(Bytes short_bytes);

/// A path as the shell takes it, for commands that people paste.
std::string shell_word(const std::string& path);

/// "next: COMMAND".
void print_next(std::ostream& out, const Paint& paint, std::string_view command);

}  // namespace graphplan::cli
