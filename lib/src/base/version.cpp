#include "graphplan/base.hpp"
#include "graphplan_revision.hpp"

namespace graphplan {

std::string_view version() noexcept { return GRAPHPLAN_VERSION; }
std::string_view git_revision() noexcept { return GRAPHPLAN_REVISION; }

}  // namespace graphplan
