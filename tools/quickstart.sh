#!/usr/bin/env bash
# One command from a fresh machine to a plan, or (--test) to all tests run.
set -euo pipefail

readonly root="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
build="$root/build/quickstart"
tests=OFF

usage() {
    cat <<'TEXT'
Usage: tools/quickstart.sh [--test]

Installs what is missing (apt, with sudo only if you are not root), builds a release into
build/quickstart, with the CUDA backend where a CUDA toolkit is found, sizes and plans a sample model on
the simulated GPU and says what to do next.

  --test   the same set-up, then builds into build/test and runs all tests instead of the sample

Needs Debian 12 or Ubuntu 24.04, or later. Where nothing is missing it needs no network.
TEXT
}

fail() { printf 'quickstart: %s\n' "$*" >&2; exit 1; }

# What each package is for decides whether it is missing, so copies installed by other means count.
has_command() { command -v "$1" >/dev/null; }
has_cmake() {
    has_command cmake || return 1
    local version
    version="$(cmake --version | awk 'NR == 1 { print $3 }')"
    [ "$(printf '%s\n' 3.25 "$version" | sort -V | head -n 1)" = 3.25 ]
}
has_header() { has_command g++ && echo "#include <$1>" | g++ -std=c++20 -E -x c++ - >/dev/null 2>&1; }
system_python() { if [ -x /usr/bin/python3 ]; then /usr/bin/python3 "$@"; else python3 "$@"; fi; }
has_catch2() { has_header catch2/catch_test_macros.hpp || has_header catch2/catch.hpp; }

missing_packages() {
    has_command g++ || echo g++
    has_cmake || echo cmake
    has_command ninja || echo ninja-build
    has_command git || echo git
    has_header CLI/CLI.hpp || echo libcli11-dev
    has_header nlohmann/json.hpp || echo nlohmann-json3-dev
    has_header fmt/format.h || echo libfmt-dev
    has_header zlib.h || echo zlib1g-dev
    if [ "$tests" = ON ]; then
        has_catch2 || echo catch2
        system_python -c 'import jsonschema' 2>/dev/null || echo python3 python3-jsonschema
    fi
}

as_root() {
    if [ "$(id -u)" = 0 ]; then "$@"; return; fi
    has_command sudo || fail "installing needs root: run as root, or install sudo"
    sudo "$@"
}

install_missing() {
    local missing
    missing="$(missing_packages | xargs)"
    [ -n "$missing" ] || return 0
    has_command apt-get || fail "these are missing and there is no apt-get to install them: $missing"
    echo "quickstart: installing $missing"
    as_root apt-get update -qq || echo "quickstart: could not refresh the package lists, trying with the old ones" >&2
    # shellcheck disable=SC2086  # one word a package
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >/dev/null ||
        fail "apt-get could not install: $missing"
    missing="$(missing_packages | xargs)"
    [ -z "$missing" ] || fail "still missing or too old after the installation: $missing (CMake 3.25 and a C++20 g++ are needed)"
}

build_release() {
    cmake -S "$root" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DGRAPHPLAN_BUILD_TESTS="$tests" \
        >"$build.configure.log" 2>&1 ||
        { cat "$build.configure.log" >&2; fail "configuring failed"; }
    cmake --build "$build"
}

run_tests() {
    ctest --test-dir "$build" --output-on-failure --no-tests=error --parallel "$(nproc)"
}

run_sample() {
    local graphplan="$build/tools/graphplan/graphplan" sample="$root/samples/llama-3.1-8b" out="$build/sample"
    mkdir -p "$out"
    "$graphplan" size "$sample/model.json" -b "$sample/buckets.json" --backend sim -o "$out/costs.json" --force -q
    "$graphplan" plan "$out/costs.json" --free-mib 2048 -o "$out/plan.json" --force
    cat <<TEXT

What to do next (the figures above are simulated):
  export PATH="$build/tools/graphplan:\$PATH"
  graphplan explain $out/plan.json          # why each bucket is in or out
  graphplan plan $out/costs.json --free-mib 1024  # the same costs, less memory
  graphplan size --help                     # your own model and buckets
TEXT
}

case "${1-}" in
    "") ;;
    --test) tests=ON build="$root/build/test" ;;
    -h | --help) usage; exit 0 ;;
    *) usage >&2; exit 2 ;;
esac
[ $# -le 1 ] || { usage >&2; exit 2; }

install_missing
mkdir -p "$root/build"
build_release
if [ "$tests" = ON ]; then run_tests; else run_sample; fi
