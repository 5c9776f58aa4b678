#include "replay/shared_outputs.hpp"

#include "replay_fixture.hpp"

using namespace graphplan;
using replay::SharedOutputs;

namespace {

BucketSpec bucket(const std::string& walk, std::int64_t slots, Bytes output_bytes,
                  std::optional<std::string> key = {}) {
    BucketSpec spec;
    spec.pool = "llm";
    spec.id = {walk, std::move(key), 1, 1};
    spec.slots = slots;
    spec.output_bytes = output_bytes;
    return spec;
}

Bytes used(Device& device) { return *device.memory().used_by_process; }

}  // namespace

TEST_CASE("a walk and key share one buffer: slots of the largest need, in whole 2 MiB") {
    const std::unique_ptr<Device> device = sim_device();
    const BucketSpec small = bucket("decode", 3, 512), large = bucket("decode", 2, kMiB);
    const BucketSpec keyed = bucket("decode", 1, 1024, "cfg");
    BucketSpec region = bucket("vit", 1, kMiB);
    region.is_region = true;
    const BucketSpec nothing = bucket("views", 2, 0);
    const std::vector<const BucketSpec*> buckets{&small, &large, &keyed, &region, &nothing};
    const Bytes before = used(*device);
    {
        const SharedOutputs outputs(*device, buckets);
        CHECK(used(*device) - before == 6 * kMiB);
        CHECK(outputs.bytes("llm") == 6 * kMiB);
        CHECK(outputs.bytes("tts") == 0);
        const Address first = outputs.of(small, 0);
        CHECK(first != 0);
        CHECK(outputs.of(large, 0) == first);
        CHECK(outputs.of(large, 1) == first + static_cast<Address>(kMiB));
        CHECK(outputs.of(small, 2) == first + static_cast<Address>(2 * kMiB));
        CHECK(outputs.of(keyed, 0) != first);
        CHECK(outputs.of(region, 0) == 0);
        CHECK(outputs.of(nothing, 1) == 0);
    }
    CHECK(used(*device) == before);
}

TEST_CASE("buffers that no graph writes go back") {
    const std::unique_ptr<Device> device = sim_device();
    const BucketSpec decode = bucket("decode", 2, 512), prefill = bucket("prefill", 1, 512);
    const std::vector<const BucketSpec*> buckets{&decode, &prefill};
    const Bytes before = used(*device);
    SharedOutputs outputs(*device, buckets);
    std::vector<replay::CapturedBucket> captured;
    captured.push_back(replay::CapturedBucket{&prefill, nullptr, {}});
    outputs.drop_unused(captured);
    CHECK(outputs.bytes("llm") == kSegment);
    CHECK(used(*device) - before == kSegment);
    CHECK(outputs.of(decode, 0) == 0);
    outputs = SharedOutputs();
    CHECK(used(*device) == before);
}

TEST_CASE("where there is no memory for them, the walk and what it needs are named") {
    const std::unique_ptr<Device> device = sim_device({"allocate#1=out_of_memory"});
    const BucketSpec decode = bucket("decode", 2, 512), keyed = bucket("decode", 1, 3 * kMiB, "cfg");
    const std::vector<const BucketSpec*> buckets{&decode, &keyed};
    const Bytes before = used(*device);
    CHECK(contains(message_of([&] { SharedOutputs(*device, buckets); }, ErrorCode::out_of_memory),
                   "claiming shared outputs of llm: decode[cfg], 1 slot of 3.0 MiB: "));
    CHECK(used(*device) == before);
}
