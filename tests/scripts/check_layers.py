#!/usr/bin/env python3
"""Holds the layers: a folder includes its own files and lower rows, never what stands beside it or above.

Usage: check_layers.py SOURCE_DIR. Prints each violation and exits 1 if there is one.
"""
import pathlib
import re
import sys

ROWS = [
    {"base"},
    {"memory", "model"},
    {"device", "documents", "planner"},
    {"sim", "cuda"},
    {"engine"},
    {"sizing", "timing", "replay"},
]
ROW_OF = {layer: row for row, layers in enumerate(ROWS) for layer in layers}

# The layer that declares each public header. Every header must be named here.
HEADERS = {
    "base.hpp": "base",
    "model.hpp": "model", "costs.hpp": "model", "plan.hpp": "model",
    "memory.hpp": "memory",
    "operators.hpp": "device", "device.hpp": "device",
    "documents.hpp": "documents",
    "planner.hpp": "planner",
    "sim.hpp": "sim", "cuda.hpp": "cuda",
    "engine.hpp": "engine",
    "sizing.hpp": "sizing", "timing.hpp": "timing", "replay.hpp": "replay",
}
INCLUDE = re.compile(r'^\s*#\s*include\s+([<"][^">]+)[">]', re.MULTILINE)
PUBLIC_FORBIDDEN = re.compile(r"^(nlohmann/|CLI/|fmt/|cuda|cublas|cudnn|nccl|catch2/|zlib)")
MAX_PUBLIC_HEADERS = 15
MAX_PUBLIC_LINES = 150


def includes_of(path):
    """Names that a file includes, those in <> that could be a folder of ours left out: <memory> is no layer."""
    for name in INCLUDE.findall(path.read_text(encoding="utf-8")):
        if "/" in name or name.startswith('"'):
            yield name[1:]


def layer_of(include):
    """The layer of an included name, or None for the standard library and packages."""
    if include.startswith("graphplan/"):
        return HEADERS.get(include.removeprefix("graphplan/"), "?")
    folder = include.split("/")[0]
    return folder if folder in ROW_OF else None


def allowed(layer, included):
    return included == layer or ROW_OF[included] < ROW_OF[layer]


def check_file(path, layer, root):
    problems = []
    for include in includes_of(path):
        included = layer_of(include)
        if included == "?":
            problems.append(f"{path.relative_to(root)}: no layer is known for {include}")
        elif included is not None and not allowed(layer, included):
            problems.append(f"{path.relative_to(root)}: {layer} includes {include} of {included}")
    return problems


def check_public(header, root):
    text = header.read_text(encoding="utf-8")
    problems = [f"{header.relative_to(root)}: a public header includes {include}"
                for include in (name[1:] for name in INCLUDE.findall(text))
                if PUBLIC_FORBIDDEN.match(include) and header.name != "cuda.hpp"]
    if text.count("\n") > MAX_PUBLIC_LINES:
        problems.append(f"{header.relative_to(root)}: {text.count(chr(10))} lines, at most {MAX_PUBLIC_LINES}")
    return problems


def check_tools(root):
    """The program uses public headers and its own files only."""
    problems = []
    folder = root / "tools" / "graphplan"
    for path in sorted(folder.glob("**/*.[ch]pp")):
        for include in includes_of(path):
            if include.split("/")[0] in ROW_OF and not (folder / include).exists():
                problems.append(f"{path.relative_to(root)}: the program includes the private header {include}")
    return problems


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    problems = check_tools(root)
    headers = sorted((root / "lib/include/graphplan").glob("*.hpp"))
    if len(headers) > MAX_PUBLIC_HEADERS:
        problems.append(f"{len(headers)} public headers, at most {MAX_PUBLIC_HEADERS}")
    for header in headers:
        problems += check_public(header, root)
        layer = HEADERS.get(header.name)
        problems += [f"{header.name}: no layer is known for it"] if layer is None else check_file(header, layer, root)
    sources = 0
    for folder in sorted((root / "lib/src").iterdir()):
        if folder.name not in ROW_OF:
            problems.append(f"lib/src/{folder.name}: not a layer")
            continue
        for path in sorted(p for p in folder.rglob("*") if p.suffix in {".hpp", ".cpp", ".cu", ".cuh"}):
            sources += 1
            problems += check_file(path, folder.name, root)
    if sources == 0 or not headers:
        problems.append("nothing was checked")
    print("\n".join(problems) or f"{sources} sources and {len(headers)} public headers keep their layers")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
