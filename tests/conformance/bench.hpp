// A device on the bench: what the conformance cases start from.
//
// A backend joins by a file that defines device_factories().
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "graphplan/device.hpp"

namespace graphplan::conformance {

struct DeviceFactory {
    std::string name;
    std::function<std::unique_ptr<Device>()> make;
};

/// The devices that the cases run over, each freshly made.
std::vector<DeviceFactory> device_factories();

/// Memory straight from the device. Temporaries go back when this does.
class SegmentScratch final : public Scratch {
  public:
    explicit SegmentScratch(Device& device) : device_(device) {}
    ~SegmentScratch() override;
    SegmentScratch(const SegmentScratch&) = delete;
    SegmentScratch& operator=(const SegmentScratch&) = delete;

    Address temporary(Bytes bytes) override;
    Address workspace(std::string_view library, Bytes bytes) override;

  private:
    Device& device_;
    std::vector<std::pair<Address, Bytes>> taken_;
};

/// A device with a stream, a segment and an operator that runs in it.
class Bench {
  public:
    static constexpr Bytes kBytes = 16 * kMiB;

    explicit Bench(std::unique_ptr<Device> made);
    ~Bench();
    Bench(const Bench&) = delete;
    Bench& operator=(const Bench&) = delete;

    /// Memory that this process uses; where only the device's free memory can be read, what anybody uses.
    Bytes used();
    /// One addition of `elements` f32: a single kernel.
    OperatorCall addition(std::int64_t elements = 1024) const;
    void add(const Stream& on, int times = 1);
    /// A graph of so many additions.
    Graph capture(int kernels);

  private:
    std::unique_ptr<Device> owned_;

  public:
    Device& device;
    Stream stream;
    Address segment = 0;

  private:
    SegmentScratch scratch_;
};

/// The code and text of the Error that `action` throws. Fails the case if it throws none.
Error error_of(const std::function<void()>& action);

}  // namespace graphplan::conformance
