#!/usr/bin/env bash
# clang-format 14 (Debian 12's) changes nothing. Other versions format differently: only that one counts.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
git ls-files '*.hpp' '*.cpp' '*.cu' '*.cuh' | xargs "${CLANG_FORMAT:-clang-format}" --dry-run --Werror
