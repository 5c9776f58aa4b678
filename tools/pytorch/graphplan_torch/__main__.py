"""`python -m graphplan_torch`: size a model, or capture a plan and say what it took."""

from __future__ import annotations

import argparse
import importlib.util
import logging
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import __version__
from .buckets import Bucket, read_buckets
from .documents import plan_of, read, to_bytes, write
from .errors import DocumentError, GraphplanError

if TYPE_CHECKING:
    from .walks import Nodes

_EXAMPLES = """examples:
  python -m graphplan_torch size --hf Qwen/Qwen3-0.6B -b buckets.json -o costs.json
  graphplan plan costs.json --free-mib 4096 -o plan.json
  python -m graphplan_torch capture plan.json --hf Qwen/Qwen3-0.6B -b buckets.json --check
"""

_BAD_DOCUMENT, _DEVICE, _NO = 3, 4, 1


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit codes: 0 done, 1 the answer is no, 2 usage, 3 a bad document, 4 the device."""
    options = _parser().parse_args(arguments)
    logging.basicConfig(level=logging.WARNING if options.quiet else logging.INFO, format="%(message)s")
    try:
        return int(options.command(options))
    except DocumentError as error:
        print(f"error: {error}", file=sys.stderr)
        return _BAD_DOCUMENT
    except GraphplanError as error:
        print(f"error: {error}", file=sys.stderr)
        return _DEVICE


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        "graphplan_torch",
        description=__doc__,
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=__version__)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    size = commands.add_parser("size", help="measure what each bucket costs, as a graphplan.costs document")
    capture = commands.add_parser("capture", help="capture a plan's graphs and say what they took")
    for command in (size, capture):
        model = command.add_mutually_exclusive_group(required=True)
        model.add_argument("--hf", metavar="CONFIG|NAME", help="a Hugging Face causal language model")
        model.add_argument("--nodes", metavar="FILE.py", help="a file whose nodes() returns a model's walks")
        command.add_argument("-b", "--buckets", required=True, help="the graphplan.buckets document")
        command.add_argument("-o", "--output", default="-", help="where the document goes; - is stdout")
        command.add_argument("--force", action="store_true", help="overwrite the output")
        command.add_argument("--warmup", type=int, default=2, help="forwards before a measurement (2)")
        command.add_argument("--max-tokens", type=int, help="--hf: cache length for each row")
        command.add_argument("-q", "--quiet", action="store_true", help="warnings only")
    size.set_defaults(command=_size)
    capture.add_argument("plan", help="the graphplan.plan document")
    capture.add_argument("--check", action="store_true", help="compare each replay with eager, bit for bit")
    capture.set_defaults(command=_capture)
    return parser


def _size(options: argparse.Namespace) -> int:
    document = read(options.buckets, "graphplan.buckets")
    buckets = read_buckets(document.content)
    from .sizing import size  # torch is loaded once the documents are known to be good

    costs = size(_nodes(options, buckets), buckets, warmup=options.warmup, buckets_sha256=document.sha256)
    _give(costs, options)
    return 0


def _capture(options: argparse.Namespace) -> int:
    plan = read(options.plan, "graphplan.plan").content
    plan_of(plan)
    buckets = read_buckets(read(options.buckets, "graphplan.buckets").content)
    from .session import capture  # as in `_size`

    session = capture(plan, _nodes(options, buckets), warmup=options.warmup)
    for line in session.report.lines():
        print(line, file=sys.stderr)
    report: dict[str, Any] = session.report.document()
    if options.check:
        different = [str(bucket.shape) for bucket in session.captured() if not session.check(bucket)]
        report["outputs_differ"] = different
        print(f"replay differs from eager: {', '.join(different) or 'nowhere'}", file=sys.stderr)
    _give(report, options)
    return _NO if session.report.dropped or report.get("outputs_differ") else 0


def _give(content: dict[str, Any], options: argparse.Namespace) -> None:
    if options.output == "-":
        sys.stdout.write(to_bytes(content).decode())
    else:
        write(content, Path(options.output), options.force)


def _nodes(options: argparse.Namespace, buckets: Sequence[Bucket]) -> Nodes:
    if options.hf:
        from .models import hf

        return hf.nodes(options.hf, buckets, max_tokens=options.max_tokens)
    spec = importlib.util.spec_from_file_location("graphplan_nodes", options.nodes)
    if spec is None or spec.loader is None or not Path(options.nodes).is_file():
        raise DocumentError(f"{options.nodes}: expected a Python file with a function nodes(buckets)")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    sys.path.insert(0, str(Path(options.nodes).resolve().parent))
    spec.loader.exec_module(module)
    return module.nodes(buckets)


if __name__ == "__main__":
    sys.exit(main())
