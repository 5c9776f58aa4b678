# What every target of this project is built with. Dependencies are not touched.
function(graphplan_target target)
  target_compile_features(${target} PUBLIC cxx_std_20)
  set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Wconversion
                                           -Wno-sign-conversion -Wnon-virtual-dtor)
  if(GRAPHPLAN_WERROR)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
endfunction()
