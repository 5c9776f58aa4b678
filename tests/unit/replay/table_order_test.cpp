// Two streams write and read page tables: which of them waits for the other.
#include <map>
#include <random>

#include "../sizing/fake_engine.hpp"
#include "replay/preparation.hpp"
#include "replay_fixture.hpp"

using namespace graphplan;

namespace {

const std::vector<std::int32_t> kPages{5, 6};

/// What waits for what, as a device's streams and events say: a count of each stream's work, as far as each
/// stream knows of it.
class Order {
  public:
    explicit Order(FakeDevice& device) {
        device.on_record = [this](std::uint64_t event, std::uint64_t stream) {
            ++calls;
            events_[event] = known_[stream];
        };
        device.on_wait = [this](std::uint64_t stream, std::uint64_t event) {
            ++calls;
            for (const auto& [other, count] : events_[event])
                known_[stream][other] = std::max(known_[stream][other], count);
        };
        device.on_write = [this](Address to, std::uint64_t stream) {
            ++calls;
            touch(to, stream, true);
        };
    }

    /// A read waits for every write of the other streams, a write for every touch.
    void touch(Address at, std::uint64_t stream, bool writes) {
        std::map<std::uint64_t, std::int64_t>& known = known_[stream];
        ++known[stream];
        for (const Touch& earlier : touches_) {
            const bool clash = (earlier.writes || writes) && earlier.table == table_of(at);
            if (clash && known[earlier.stream] < earlier.count) ++races;
        }
        touches_.push_back({table_of(at), stream, known[stream], writes});
    }

    int races = 0;
    int calls = 0;

  private:
    struct Touch {
        Address table = 0;
        std::uint64_t stream = 0;
        std::int64_t count = 0;
        bool writes = false;
    };
    static Address table_of(Address at) { return at >> 16; }

    std::map<std::uint64_t, std::map<std::uint64_t, std::int64_t>> known_, events_;
    std::vector<Touch> touches_;
};

/// Three buckets of one slot over two page tables, and what sessions do with them.
struct Tables {
    static constexpr std::uint64_t kLaunches = 7;
    static constexpr Address kFirst = 1 << 20, kSecond = kFirst + (1 << 16);

    Tables() : order(device), preparation(device, kLaunches) {
        slots[0].graph.tensors.page_tables = {{"kv", {kFirst, DType::i32, {8, 64}}, 0, Counts::rows}};
        slots[1].graph.tensors.page_tables = {{"kv", {kFirst, DType::i32, {4, 64}}, 0, Counts::rows},
                                              {"other", {kSecond, DType::i32, {4, 64}}, 0, Counts::rows}};
        slots[2].graph.tensors.page_tables = {{"other", {kSecond, DType::i32, {8, 64}}, 0, Counts::rows}};
        for (replay::CapturedSlot& slot : slots) preparation.adopt(slot);
    }

    Lease lease(int slot, std::int64_t bs) {
        specs[slot].id = {"decode", std::nullopt, slot == 1 ? 4 : 8, slot == 1 ? 4 : 8};
        Lease lease;
        lease.bucket = &specs[slot];
        lease.bs = lease.tokens = bs;
        return lease;
    }
    void prepare(int slot, std::int64_t bs, std::size_t table = 0) {
        const std::string name = slots[slot].graph.tensors.page_tables.at(table).name;
        const PageRow row{bs - 1, 0, kPages};
        preparation.write(slots[slot], lease(slot, bs), name, std::span(&row, 1));
    }
    void stage(int slot, std::int64_t bs) {
        preparation.check(slots[slot]);
        preparation.pad(slots[slot], lease(slot, bs));
    }
    void launch(int slot) {
        preparation.before_launch(slots[slot]);
        for (const NamedTensor& table : slots[slot].graph.tensors.page_tables)
            order.touch(table.view.address, kLaunches, false);
        preparation.after_launch(slots[slot]);
    }
    void release(int slot) { preparation.forget(slots[slot]); }

    FakeDevice device;
    Order order;
    replay::CapturedSlot slots[3];
    BucketSpec specs[3];
    replay::Preparation preparation;
};

}  // namespace

TEST_CASE("rows that pad are written after a preparation that nobody launched, of this bucket or another") {
    const int next = GENERATE(0, 1);
    Tables tables;
    tables.prepare(0, 8);
    tables.release(0);
    tables.stage(next, 3);
    CHECK(tables.order.races == 0);
    tables.launch(next);
    CHECK(tables.order.races == 0);
}

TEST_CASE("a launch waits for what another bucket prepared in its table and never launched") {
    Tables tables;
    tables.prepare(1, 4, 0);
    tables.prepare(1, 4, 1);
    tables.release(1);
    tables.launch(0);
    tables.launch(2);
    CHECK(tables.order.races == 0);
}

TEST_CASE("a preparation waits for launches that read its table and for rows that were padded in it") {
    Tables tables;
    tables.launch(0);
    tables.prepare(0, 8);
    CHECK(tables.order.races == 0);
    tables.stage(0, 8);
    tables.launch(0);
    tables.prepare(1, 4);
    CHECK(tables.order.races == 0);
    tables.release(1);
    tables.stage(0, 2);
    tables.release(0);
    tables.prepare(0, 8);
    CHECK(tables.order.races == 0);
}

TEST_CASE("whatever is prepared, staged, launched and released in turn, no two streams meet in a table") {
    const unsigned seed = GENERATE(range(0U, 20U));
    std::mt19937 random(seed);
    Tables tables;
    int refused = 0;
    for (int i = 0; i < 300; ++i) {
        const int slot = static_cast<int>(random() % 3);
        const std::int64_t bs = 1 + static_cast<std::int64_t>(random() % (slot == 1 ? 4 : 8));
        const auto act = [&] {
            switch (random() % 4) {
                case 0: return tables.prepare(slot, bs, slot == 1 ? random() % 2 : 0);
                case 1: return tables.stage(slot, bs);
                case 2: return tables.preparation.check(tables.slots[slot]), tables.launch(slot);
                default: return tables.release(slot);
            }
        };
        if (!message_of(act, ErrorCode::invalid_argument).empty()) ++refused;
    }
    CHECK(tables.order.races == 0);
    CHECK(refused < 200);
}

TEST_CASE("a launch that nothing was prepared for asks the device for no more") {
    Tables tables;
    tables.stage(1, 3);
    tables.launch(1);
    CHECK(tables.order.calls == 0);
    tables.prepare(1, 3);
    tables.launch(1);
    tables.order.calls = 0;
    tables.stage(1, 3);
    tables.launch(1);
    CHECK(tables.order.calls == 1);  // the table that was prepared once: its launch is done
    tables.stage(2, 3);
    tables.launch(2);
    CHECK(tables.order.calls == 1);
}
