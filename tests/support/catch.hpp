// Catch2 3 and 2.13 alike.
#pragma once

#if __has_include(<catch2/catch_test_macros.hpp>)
#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators_all.hpp>
#include <catch2/matchers/catch_matchers_all.hpp>
using Catch::Approx;
using Catch::Matchers::ContainsSubstring;
#else
#include <catch2/catch.hpp>
using Catch::Detail::Approx;  // Catch::Approx is a matcher's name there too
inline auto ContainsSubstring(const std::string& text) { return Catch::Contains(text); }
#endif
