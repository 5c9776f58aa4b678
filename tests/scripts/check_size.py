#!/usr/bin/env python3
"""Holds the house's sizes: a source has at most 300 lines, a function outside the tests at most 40.

Usage: check_size.py SOURCE_DIR. A function is a brace block that opens at a line of 0 or 4 spaces and
closes at the same indentation; clang-format makes that reliable.
"""
import pathlib
import re
import sys

MAX_LINES = 300
MAX_FUNCTION = 40
NOT_FUNCTIONS = re.compile(r"^\s*(namespace|class|struct|enum|union|extern|TEST_CASE|SCENARIO|template)\b")


def functions(lines):
    """(first line, length) of each function body."""
    start = None
    for number, line in enumerate(lines, 1):
        if start is None:
            opens = re.match(r"^( {0,4})(\S.*)\{$", line)
            if opens and ("(" in line or line.lstrip().startswith(")")) and not NOT_FUNCTIONS.match(line) \
                    and not re.match(r"^\s*(if|for|while|switch|else|do|return)\b", line):
                start, indent = number, opens.group(1)
        elif re.match(rf"^{indent}\}}", line):
            yield start, number - start + 1
            start = None


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    problems, files = [], 0
    for path in sorted(p for top in ("lib", "tools/graphplan", "samples", "tests") for p in (root / top).rglob("*")
                       if p.suffix in {".hpp", ".cpp", ".cu", ".cuh"}):
        files += 1
        lines = path.read_text(encoding="utf-8").splitlines()
        name = path.relative_to(root)
        if len(lines) > MAX_LINES:
            problems.append(f"{name}: {len(lines)} lines, at most {MAX_LINES}")
        if name.parts[0] == "tests":  # tables of cases may be long
            continue
        problems += [f"{name}:{start}: a function of {length} lines, at most {MAX_FUNCTION}"
                     for start, length in functions(lines) if length > MAX_FUNCTION]
    if files == 0:
        problems.append("nothing was checked")
    print("\n".join(problems) or f"{files} files keep their sizes")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
