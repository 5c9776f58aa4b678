// Names where in a document something stands.
#pragma once

#include <string>
#include <string_view>

#include "graphplan/model.hpp"

namespace graphplan::engine {

/// "model.json: /nodes/0/walks/decode".
inline std::string place_in(const Model& model, std::string_view pointer) {
    return model.source.empty() ? std::string(pointer) : model.source + ": " + std::string(pointer);
}

/// @throws Error invalid_document: the place, then what is wrong there
[[noreturn]] inline void fail_in(const Model& model, std::string_view pointer, std::string_view what) {
    throw Error(ErrorCode::invalid_document, place_in(model, pointer) + ": " + std::string(what));
}

}  // namespace graphplan::engine
