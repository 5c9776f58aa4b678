#!/usr/bin/env bash
# clang-format 14 (Debian 12's) changes nothing. Other versions format differently: only that one counts.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
git ls-files '*.hpp' '*.cpp' '*.cu' '*.cuh' | xargs "${CLANG_FORMAT:-clang-format}" --dry-run --Werror
# Names that Catch2 2 and 3 spell differently stand in one place.
if git grep -n 'Catch::' -- tests ':!tests/support' ':!tests/scripts'; then
    echo "name these in tests/support/catch.hpp, for Catch2 2.13 and 3 alike" >&2
    exit 1
fi
