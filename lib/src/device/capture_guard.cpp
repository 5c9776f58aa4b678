#include "graphplan/device.hpp"

namespace graphplan {

CaptureGuard::CaptureGuard(Device& device, const Stream& stream) : device_(device), stream_(stream.id()) {
    device_.begin_capture(stream_);
}

CaptureGuard::~CaptureGuard() {
    if (capturing_) device_.abandon_capture(stream_);
}

Graph CaptureGuard::finish() {
    if (!capturing_) throw Error(ErrorCode::invalid_argument, "this capture is finished already");
    capturing_ = false;
    return {device_, device_.end_capture(stream_)};
}

}  // namespace graphplan
