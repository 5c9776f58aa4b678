// The first two fields of every document: which kind it is, in which version.
#pragma once

#include <string_view>

#include "documents/value.hpp"

namespace graphplan::documents {

/// The root's fields, after checking that the document is of `kind` ("costs") in a version that this
/// build reads.
/// @throws Error invalid_document for another or an unknown kind, unsupported_version for a major version
/// that is too old or too new: each its own message
Fields open_envelope(Document& document, std::string_view kind);

}  // namespace graphplan::documents
