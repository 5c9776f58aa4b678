# Writes OUTPUT, a source file that holds the schemas FOLDER/KIND.json of KINDS (separated by commas).
string(REPLACE "," ";" kinds "${KINDS}")
set(entries "")
foreach(kind IN LISTS kinds)
  file(READ "${FOLDER}/${kind}.json" text)
  string(APPEND entries "    std::pair<std::string_view, std::string_view>{\"${kind}\", R\"GRAPHPLAN(${text})GRAPHPLAN\"},\n")
endforeach()
file(WRITE "${OUTPUT}" "#include <array>

#include \"documents/schemas.hpp\"

namespace graphplan::documents {
namespace {

constexpr std::array kSchemas{
${entries}};

}  // namespace

std::span<const std::pair<std::string_view, std::string_view>> embedded_schemas() noexcept { return kSchemas; }

}  // namespace graphplan::documents
")
