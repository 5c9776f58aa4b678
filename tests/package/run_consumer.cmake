# Installs the build into a fresh prefix, then configures, builds and runs the consumer against it.
include("${CMAKE_CURRENT_LIST_DIR}/outsider.cmake")
build_outsider("${CONSUMER_DIR}")
run("${WORK_DIR}/build/consumer")
if(NOT out MATCHES "planned 2 of 3 buckets")
  message(FATAL_ERROR "the consumer printed: ${out}")
endif()
