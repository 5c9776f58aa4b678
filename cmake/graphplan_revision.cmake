# Writes revision.hpp with the git revision at every build, touching it only when it changes, so that
# documents name the code that made them.
set(GRAPHPLAN_REVISION "" CACHE STRING "What documents name as the git revision, for sources without git; empty: ask git")
set(GRAPHPLAN_REVISION_HEADER "${PROJECT_BINARY_DIR}/generated/graphplan_revision.hpp")
add_custom_target(graphplan_revision
  BYPRODUCTS "${GRAPHPLAN_REVISION_HEADER}"
  COMMAND "${CMAKE_COMMAND}" "-DSOURCE_DIR=${PROJECT_SOURCE_DIR}" "-DOUTPUT=${GRAPHPLAN_REVISION_HEADER}"
          "-DVERSION=${PROJECT_VERSION}" "-DREVISION=${GRAPHPLAN_REVISION}" -P "${PROJECT_SOURCE_DIR}/cmake/write_revision.cmake"
  VERBATIM)
