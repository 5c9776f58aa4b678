// What a driven step brings: content for its inputs, lengths of packed rows, pages of its rows' own.
#pragma once

#include <cstdint>
#include <map>
#include <random>
#include <vector>

#include "graphplan/replay.hpp"

namespace graphplan::cli {

/// The same content for the same seed and steps. Floats are from -1 to 1, indices anywhere in their table. A
/// row of a decode step ends a context of up to kMostContext tokens in pages of its own, as far as the cache
/// has pages for each row; packed rows have uneven lengths and count their positions from 0. Integers that
/// the model sets no range for are 0.
class StepContent {
  public:
    static constexpr std::int64_t kMostContext = 1024;

    explicit StepContent(std::uint64_t seed) : random_(seed) {}

    /// Draws the next step's, for a slot of `shape` of which `real` is to run.
    /// `packed`: rows may have lengths of their own.
    void draw(const SlotTensors& tensors, const BucketShape& shape, const BucketShape& real, bool packed);

    /// Into a leased slot: prepares its page tables, stages its inputs.
    void stage(ReplaySession& session, const Lease& lease) const;
    /// Into a slot that runs eagerly, of which all is real or whose inputs vary along their first dimension.
    /// Done on return.
    void write(Device& device, PreparedSlot& slot, std::uint64_t stream) const;

  private:
    using Bytestring = std::vector<unsigned char>;
    struct Drawn {
        Bytestring integers;
        DType dtype = DType::f32;
        std::size_t offset = 0;  ///< of floats in `floats_`
        std::int64_t count = 0;  ///< along the dimension that varies
        Bytes bytes = 0;
    };

    std::int64_t below(std::int64_t limit);
    void draw_lengths(const BucketShape& real);
    void draw_pages(const SlotTensors& tensors, const BucketShape& shape, const BucketShape& real);
    void draw_input(const NamedTensor& input, const BucketShape& shape, const BucketShape& real);
    std::int64_t draw_integer(const NamedTensor& input, std::int64_t token, const BucketShape& real);
    std::size_t draw_floats(DType dtype, std::int64_t count);
    const unsigned char* content(const Drawn& input) const;

    std::mt19937_64 random_;
    std::map<DType, Bytestring> floats_;  ///< drawn once: steps begin somewhere in them
    std::vector<Drawn> inputs_;
    std::vector<std::int64_t> lengths_;    ///< of packed rows
    std::vector<std::int64_t> positions_;  ///< of their tokens
    struct Table {
        std::int64_t pages = 0, own = 0;  ///< of the cache, and of each row
        std::vector<std::vector<std::int32_t>> rows;
    };
    std::vector<Table> tables_;
};

}  // namespace graphplan::cli
