// What holds for every input, however bad.
#pragma once

#include <cstdlib>
#include <string>

#include "graphplan/base.hpp"

namespace graphplan::fuzz {

/// Stops the fuzzer where something that must hold does not.
inline void require(bool holds) {
    if (!holds) std::abort();
}

/// Runs a reader: it may refuse, with an Error whose message is short, and nothing else.
template <typename Read>
void refuse_well(Read read) {
    try {
        read();
    } catch (const Error& error) {
        const std::string message = error.what();
        require(message.size() < 4000 && !message.empty());
        require(message.find('\n') == std::string::npos);
        require(error.code() == ErrorCode::invalid_document ||
                error.code() == ErrorCode::unsupported_version);
    }
}

}  // namespace graphplan::fuzz
