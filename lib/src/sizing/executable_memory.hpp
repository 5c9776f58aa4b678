// The executable memory of a walk's graphs, measured on copies of the first one.
//
// The driver holds it outside any allocator, in pieces of 2 MiB, and keeps the pieces of destroyed
// executables for later ones: so copies are made and held, and what each took is counted. Reading the
// device and counting are apart: the count is a pure function of a list of readings.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "graphplan/device.hpp"

namespace graphplan {

/// What the copies of one graph say.
struct ExecutableFigures {
    std::int64_t copies = 0;
    std::optional<double> bytes_per_node;  ///< absent: nothing can be said, the graph stays unsized
    Bytes held_bytes = 0;           ///< lower bound of what the copies hold; 0 unless a count was clean
    std::int64_t early_copies = 0;  ///< before the first that took some: they fill what was mapped before
    /// [k]: what k copies from that one on took; empty where a reading was not theirs alone.
    std::vector<Bytes> curve_bytes;
    std::int64_t spoiled_counts = 0;  ///< counts that other processes' memory spoiled
};

/// Counts what copies take, one reading at a time.
///
/// The curve begins with the first copy that takes some memory: in another process other graphs stand before
/// a walk's, and leave less of a piece or more. If none takes any, it has all of them.
///
/// A count starts after the first copy that takes some memory, since copies until then fill pieces that
/// were mapped before, and ends once 16 MiB are counted, over three copies at least where other processes
/// move the readings: a jump of theirs shows beside others only. Its rate is (counted + 2 MiB) ÷ (counted
/// copies × nodes): the first counted copy may start partway into a piece. A copy after which less is taken
/// than before spoils a count, and so does one that took more than two pieces above the mean; after four
/// spoiled counts or the most copies the largest rate seen stands. If no copy took anything, all of them
/// fit in one piece that was mapped before, and that is the rate.
class ExecutableCount {
  public:
    static constexpr Bytes kCountedBytes = 16 * kMiB;
    static constexpr std::int64_t kFewestShared = 3;  ///< copies counted where readings are not `own`
    static constexpr std::int64_t kTries = 4;
    static constexpr std::int64_t kMostCopies = 512;
    static constexpr Bytes kCurveBytes = 128 * kMiB;

    /// `nodes` of the graph, at least 1. `own`: readings are this process's alone.
    ExecutableCount(std::int64_t nodes, bool own, std::int64_t most_copies = kMostCopies);

    bool wants_more() const noexcept;
    /// Whether a clean count's curve is shorter than `graphs` graphs of the walk may need, the last of a
    /// sixth more nodes than the copied one among them, and may grow: what lies past its end is told by the
    /// rate, which reads high. Up to 128 MiB; not where other processes move the readings.
    bool curve_wants_more(std::int64_t graphs) const noexcept;
    /// One more copy was made and took `bytes`, below 0 where memory rose.
    void add(Bytes bytes);
    ExecutableFigures figures() const;

  private:
    void end_count();
    void spoil();
    double rate() const;
    std::optional<double> bytes_per_node() const;
    bool curve_is_exact() const;
    std::int64_t early_copies() const noexcept;
    bool near_mean(Bytes bytes) const;

    std::int64_t nodes_;
    bool own_;
    std::int64_t most_copies_;
    std::vector<Bytes> taken_;  // by each copy
    bool counting_ = false;
    bool clean_ = false;  // the count ended and stands
    std::int64_t counted_copies_ = 0;
    Bytes counted_ = 0;
    Bytes largest_ = 0;  // of the counted copies
    std::int64_t spoiled_ = 0;
    std::optional<double> largest_rate_;
};

/// The figures for a whole list of readings, what each copy took; those past the count's end are not read.
ExecutableFigures count_executable_memory(std::span<const Bytes> taken, std::int64_t nodes, bool own);

/// Graphs of a walk count as alike where their nodes differ by no more than this part of the larger one's.
inline constexpr std::int64_t kAlikePart = 6;

/// Whether graphs of so many nodes are too unlike for one to stand for the other: kernels that a library
/// chooses by shape can be a few large ones here and many small ones there.
constexpr bool unlike(std::int64_t nodes, std::int64_t others) noexcept {
    return kAlikePart * (nodes > others ? nodes - others : others - nodes) > std::max(nodes, others);
}

/// One walk's measurement, with the copies that it holds.
class ExecutableMemory {
  public:
    /// Copies `graph`, of `nodes` nodes, until the count ends and the curve reaches the `graphs` graphs of
    /// the walk, no copy can be made or the device is poisoned. Where an earlier graph left the walk unsized,
    /// its copies count against the most.
    /// @throws Error device where memory cannot be read
    void measure(Device& device, const Graph& graph, std::int64_t nodes, std::int64_t graphs);

    /// Where a graph is unlike the copied one, or an earlier one was: copies it as often as its bucket has
    /// `slots` and holds the copies. What they took, over all of them, is the graph's own, and the curve says
    /// nothing of the walk any more. Nothing where readings are not this process's alone.
    /// @throws Error device where memory cannot be read
    std::optional<Bytes> measure_own(Device& device, const Graph& graph, std::int64_t nodes,
                                     std::int64_t slots);
    /// Whether graphs have figures of their own instead of a curve.
    bool varies() const noexcept { return varies_; }

    bool measured() const noexcept { return figures_.bytes_per_node.has_value(); }
    const ExecutableFigures& figures() const noexcept { return figures_; }
    /// Of the graph that was copied.
    std::int64_t nodes() const noexcept { return nodes_; }
    /// Why the walk is not measured, in words.
    const std::string& reason() const noexcept { return reason_; }

    /// Executable memory of a graph of so many nodes, by the measured rate; 0 where there is none.
    Bytes outside_bytes(std::int64_t nodes) const;

    /// Destroys the copies; the figures stay.
    void release() noexcept { copies_.clear(); }

  private:
    bool copy(Device& device, const Graph& graph);

    std::vector<Executable> copies_;
    std::int64_t nodes_ = 0;
    bool varies_ = false;
    ExecutableFigures figures_;
    std::string reason_;
};

}  // namespace graphplan
