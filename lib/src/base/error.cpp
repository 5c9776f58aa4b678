#include "graphplan/base.hpp"

namespace graphplan {

std::string_view to_string(ErrorCode code) noexcept {
    switch (code) {
        case ErrorCode::invalid_argument: return "invalid_argument";
        case ErrorCode::invalid_document: return "invalid_document";
        case ErrorCode::unsupported_version: return "unsupported_version";
        case ErrorCode::io: return "io";
        case ErrorCode::out_of_memory: return "out_of_memory";
        case ErrorCode::device_unavailable: return "device_unavailable";
        case ErrorCode::device: return "device";
        case ErrorCode::interrupted: return "interrupted";
        case ErrorCode::internal: return "internal";
    }
    return "internal";
}

}  // namespace graphplan
