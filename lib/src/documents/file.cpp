#include "documents/file.hpp"

#include <system_error>

namespace graphplan::documents {

std::string reason(int error) { return std::generic_category().message(error); }

}  // namespace graphplan::documents
