#include "sizing/executable_memory.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "device/memory_reader.hpp"

namespace graphplan {
namespace {

constexpr Bytes kPiece = kSegment;

double per_node(Bytes bytes, std::int64_t copies, std::int64_t nodes) {
    return static_cast<double>(bytes) / (static_cast<double>(copies) * static_cast<double>(nodes));
}

std::vector<Bytes> running_sums(std::span<const Bytes> taken) {
    std::vector<Bytes> curve(taken.size() + 1, 0);
    std::partial_sum(taken.begin(), taken.end(), curve.begin() + 1);
    return curve;
}

}  // namespace

ExecutableCount::ExecutableCount(std::int64_t nodes, bool own, std::int64_t most_copies)
    : nodes_(nodes), own_(own), most_copies_(most_copies) {}

bool ExecutableCount::wants_more() const noexcept {
    return !clean_ && spoiled_ < kTries && static_cast<std::int64_t>(taken_.size()) < most_copies_;
}

std::int64_t ExecutableCount::early_copies() const noexcept {
    const auto first = std::find_if(taken_.begin(), taken_.end(), [](Bytes bytes) { return bytes > 0; });
    return first == taken_.end() ? 0 : first - taken_.begin();
}

bool ExecutableCount::curve_wants_more(std::int64_t graphs) const noexcept {
    const auto copies = static_cast<std::int64_t>(taken_.size());
    const Bytes all = std::accumulate(taken_.begin(), taken_.end(), Bytes{0});
    return clean_ && own_ && copies < most_copies_ && all < kCurveBytes &&
           copies - early_copies() < graphs + (graphs + kAlikePart - 1) / kAlikePart;
}

void ExecutableCount::add(Bytes bytes) {
    taken_.push_back(bytes);
    if (clean_) return;  // the count stands: this is the curve's
    if (bytes < 0) return spoil();
    if (!counting_) {
        counting_ = bytes > 0;
        return;
    }
    ++counted_copies_;
    counted_ += bytes;
    largest_ = std::max(largest_, bytes);
    if (counted_ >= kCountedBytes && (own_ || counted_copies_ >= kFewestShared)) end_count();
}

void ExecutableCount::end_count() {
    clean_ = near_mean(largest_);
    if (clean_) return;
    largest_rate_ = std::max(largest_rate_.value_or(0), rate());
    spoil();
}

void ExecutableCount::spoil() {
    ++spoiled_;
    counting_ = false;
    counted_copies_ = 0;
    counted_ = 0;
    largest_ = 0;
}

bool ExecutableCount::near_mean(Bytes bytes) const {
    return (bytes - 2 * kPiece) * counted_copies_ <= counted_;
}

double ExecutableCount::rate() const { return per_node(counted_ + kPiece, counted_copies_, nodes_); }

std::optional<double> ExecutableCount::bytes_per_node() const {
    if (clean_) return rate();
    if (counted_copies_ > 0) return std::max(largest_rate_.value_or(0), rate());
    if (largest_rate_) return largest_rate_;
    const auto copies = static_cast<std::int64_t>(taken_.size());
    if (copies == 0) return std::nullopt;
    const Bytes most = *std::max_element(taken_.begin(), taken_.end());
    // No count came to a rate, but a copy took some: it took no more than that and one piece.
    if (most > 0) return per_node(most + kPiece, 1, nodes_);
    if (spoiled_ > 0) return std::nullopt;
    return per_node(kPiece, copies, nodes_);
}

// Free memory of the device shows other processes too. What it can show of them: a rise, a jump, and a
// change that is no whole number of the driver's pieces; a jump only beside enough other copies.
bool ExecutableCount::curve_is_exact() const {
    if (std::any_of(taken_.begin(), taken_.end(), [](Bytes bytes) { return bytes < 0; })) return false;
    if (own_) return true;
    const bool too_few = counted_copies_ > 0 && counted_copies_ < kFewestShared;
    if (spoiled_ > 0 || too_few) return false;
    return std::all_of(taken_.begin(), taken_.end(), [&](Bytes bytes) {
        return bytes % kPiece == 0 && (counted_copies_ == 0 || near_mean(bytes));
    });
}

ExecutableFigures ExecutableCount::figures() const {
    ExecutableFigures figures;
    figures.copies = static_cast<std::int64_t>(taken_.size());
    figures.bytes_per_node = bytes_per_node();
    figures.spoiled_counts = spoiled_;
    // A count may start partway into one piece and leave the last one partly unused.
    if (clean_) figures.held_bytes = figures.copies * (counted_ - 2 * kPiece) / counted_copies_;
    if (figures.copies == 0 || !curve_is_exact()) return figures;
    figures.early_copies = early_copies();
    figures.curve_bytes =
        running_sums(std::span(taken_).subspan(static_cast<std::size_t>(figures.early_copies)));
    return figures;
}

ExecutableFigures count_executable_memory(std::span<const Bytes> taken, std::int64_t nodes, bool own) {
    ExecutableCount count(nodes, own);
    for (const Bytes bytes : taken) {
        if (!count.wants_more()) break;
        count.add(bytes);
    }
    return count.figures();
}

bool ExecutableMemory::copy(Device& device, const Graph& graph) {
    try {
        copies_.emplace_back(device, device.instantiate(graph.id()));
        return true;
    } catch (const Error& error) {
        reason_ = error.what();
        return false;
    }
}

void ExecutableMemory::measure(Device& device, const Graph& graph, std::int64_t nodes, std::int64_t graphs) {
    MemoryReader reader(device);
    const auto most = ExecutableCount::kMostCopies - static_cast<std::int64_t>(copies_.size());
    ExecutableCount count(nodes, reader.own(), most);
    nodes_ = nodes;
    reason_ =
        "the memory of its executables could not be told from that of other processes; size again "
        "while they are quiet";
    Bytes before = reader.taken();
    while ((count.wants_more() || count.curve_wants_more(graphs)) && copy(device, graph)) {
        const Bytes now = reader.taken();
        count.add(now - before);
        before = now;
    }
    figures_ = count.figures();
}

std::optional<Bytes> ExecutableMemory::measure_own(Device& device, const Graph& graph, std::int64_t nodes,
                                                   std::int64_t slots) {
    MemoryReader reader(device);
    if (!reader.own() || (!varies_ && !unlike(nodes, nodes_))) return std::nullopt;
    const Bytes before = reader.taken();
    for (std::int64_t i = 0; i < slots; ++i) {
        if (!copy(device, graph)) return std::nullopt;
    }
    varies_ = true;
    const Bytes taken = std::max<Bytes>(0, reader.taken() - before);
    return (taken + slots - 1) / slots;
}

Bytes ExecutableMemory::outside_bytes(std::int64_t nodes) const {
    return std::llround(static_cast<double>(nodes) * figures_.bytes_per_node.value_or(0));
}

}  // namespace graphplan
