#!/usr/bin/env python3
"""Runs the README's sessions and compares what they print.

Usage: check_readme.py SOURCE_DIR GRAPHPLAN. In a ```console block, lines that begin with "$ " are commands and
the lines up to the next one are their output; a line "…" stands for any number of lines. The commands of a
block run one after another in a folder that all blocks share, beside the repository's own folders.
The code of ```cpp blocks stands in samples/serve_loop, which is built and run by another test.
Commands of tools/quickstart.sh are not run here: they run this test.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

MAX_LINES = 200

def sessions(text):
    """[(command, expected lines)] of every console block."""
    for block in re.findall(r"^```console\n(.*?)^```", text, re.MULTILINE | re.DOTALL):
        command, expected = None, []
        for line in block.splitlines():
            if line.startswith("$ "):
                if command is not None:
                    yield command, expected
                command, expected = line[2:], []
            elif command is not None and command.endswith("\\") and not expected:
                command = command[:-1] + line.strip()
            else:
                expected.append(line.rstrip())
        if command is not None:
            yield command, expected


def missing_code(text, root):
    """Pieces of ```cpp blocks, between lines "…", that are not code of the sample server, line by line."""
    sample = (root / "samples/serve_loop/serve_loop.cpp").read_text(encoding="utf-8")
    pieces = [piece.strip("\n") for block in re.findall(r"^```cpp\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
              for piece in re.split(r"^…$", block, flags=re.MULTILINE)]
    return [piece for piece in pieces if f"\n{piece}\n" not in sample]


def matches(expected, printed):
    pattern = "".join(r"(?:.*\n)*" if line == "…" else re.escape(line) + r"[ ]*\n" for line in expected)
    return re.fullmatch(pattern, "".join(line + "\n" for line in printed)) is not None


def main():
    root, graphplan = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
    readme = (root / "README.md").read_text(encoding="utf-8")
    missing = missing_code(readme, root)
    for piece in missing:
        print(f"not in samples/serve_loop/serve_loop.cpp:\n{piece}")
    lines = readme.count("\n")
    if lines >= MAX_LINES:
        print(f"README.md has {lines} lines, expected under {MAX_LINES}")
    failures = len(missing) + (lines >= MAX_LINES)
    run = 0
    with tempfile.TemporaryDirectory() as work:
        for folder in ("samples", "plans", "tests", "tools"):
            os.symlink(root / folder, pathlib.Path(work) / folder)
        environment = dict(os.environ, PATH=f"{graphplan.parent}:{os.environ['PATH']}", NO_COLOR="1", COLUMNS="120")
        for command, expected in sessions(readme):
            if "quickstart.sh" in command:
                continue
            run += 1
            done = subprocess.run(["bash", "-c", command], cwd=work, env=environment, text=True,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
            printed = [line.rstrip() for line in done.stdout.splitlines()]
            if not matches(expected, printed):
                failures += 1
                print(f"$ {command}\n--- README says\n" + "\n".join(expected) + "\n--- it prints\n" + done.stdout)
    print(f"{run} README commands run, {failures} differ")
    return 1 if failures or run == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
