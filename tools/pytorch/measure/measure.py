"""Sizes models, plans, captures the plans in fresh processes, and sets what they took beside predictions.

    python tools/pytorch/measure/measure.py --graphplan build/default/tools/graphplan/graphplan -o OUT

Writes OUT/results.json, OUT/table.md and each case's costs, plans and reports.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rules import two_captures_rule, two_samples_rule
from table import table

ROOT = Path(__file__).resolve().parents[3]
PACKAGE, SAMPLES = ROOT / "tools/pytorch", ROOT / "samples/pytorch"
MIB = 2**20


@dataclass(frozen=True)
class Model:
    name: str
    arguments: tuple[str, ...]
    buckets: Path


def _sample(name: str) -> Model:
    return Model(name, ("--nodes", str(SAMPLES / f"{name}.py")), SAMPLES / f"{name}.buckets.json")


def _hf(name: str) -> Model:
    return Model(f"hf-{name}", ("--hf", str(SAMPLES / f"hf/{name}.json")), SAMPLES / "hf/buckets.json")


MODELS = (
    *map(_sample, ("qwen3", "mixtral", "vocoder", "omni", "qwen3_compiled")),
    *map(_hf, ("llama", "gpt2")),
)
ALLOCATORS = {
    "default": "",
    "expandable": "expandable_segments:True",
    "rounded": "roundup_power2_divisions:4",
}
#: of the room that all graphs would need: how much each plan gets
SHARES = {"all": None, "half": 0.5}


class Case:
    """One model under one allocator setting."""

    def __init__(self, model: Model, allocator: str, program: Path, out: Path) -> None:
        self.model, self.allocator, self._program = model, allocator, program
        self._out = out
        self._prefix = f"{model.name}.{allocator}"

    def run(self) -> list[dict[str, Any]]:
        costs_path = self._file("costs.json.gz")
        self._torch("size", *self.model.arguments, "-b", str(self.model.buckets), "-o", str(costs_path))
        costs = _costs(costs_path)
        rows = []
        whole: int | None = None
        for share_name, share in SHARES.items():
            plan_path, report_path = (
                self._file(f"{share_name}.plan.json"),
                self._file(f"{share_name}.report.json"),
            )
            plan = self._plan(
                costs_path, plan_path, costs, None if share is None else int(share * (whole or 0))
            )
            whole = whole or sum(pool["predicted_bytes"] + pool["outside_bytes"] for pool in plan["pools"])
            self._torch(
                "capture",
                str(plan_path),
                *self.model.arguments,
                "-b",
                str(self.model.buckets),
                "--check",
                "-o",
                str(report_path),
                accept=(0, 1),
            )
            rows.append(self._row(share_name, costs, plan, json.loads(report_path.read_text())))
        return rows

    def _plan(self, costs_path: Path, plan_path: Path, costs: Mapping[str, Any], room: int | None) -> Any:
        floor = max(b["peak_bytes"] for pool in costs["pools"] for b in pool["buckets"])
        free = 100_000 if room is None else -(-(room + floor + costs["one_off_bytes"]) // MIB)
        self._call(
            [
                str(self._program),
                "plan",
                str(costs_path),
                "--memory-model",
                "exact",
                "--free-mib",
                str(free),
                "-o",
                str(plan_path),
                "--force",
            ],
            (0,),
        )
        return json.loads(plan_path.read_text())

    def _row(
        self, share: str, costs: Mapping[str, Any], plan: Mapping[str, Any], report: Mapping[str, Any]
    ) -> dict[str, Any]:
        sized = {pool["name"]: pool["buckets"] for pool in costs["pools"]}
        pools = zip(plan["pools"], report["pools"], strict=True)
        return {
            "model": self.model.name,
            "allocator": self.allocator,
            "plan": share,
            "graphs": sum(c["slots"] for pool in plan["pools"] for c in pool["captures"]),
            "left_out": sum(len(pool["eager"]) for pool in plan["pools"]),
            "walks": len(costs["walks"]),
            "two_captures_bytes": sum(
                two_captures_rule(sized[pool["name"]], pool["captures"]) for pool in plan["pools"]
            ),
            "two_samples_bytes": sum(two_samples_rule(taken["taken_after_bytes"]) for _, taken in pools),
            "one_off_bytes": costs["one_off_bytes"],
            "report": report,
        }

    def _torch(self, *arguments: str, accept: Sequence[int] = (0,)) -> None:
        environment = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join((str(PACKAGE), os.environ.get("PYTHONPATH", ""))),
        }
        environment["PYTORCH_CUDA_ALLOC_CONF"] = ALLOCATORS[self.allocator]
        self._call([sys.executable, "-m", "graphplan_torch", *arguments, "--force"], accept, environment)

    def _call(
        self, command: list[str], accept: Sequence[int], environment: dict[str, str] | None = None
    ) -> None:
        began = time.monotonic()
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        with self._file("log").open("a") as log:
            log.write(
                f"$ {' '.join(command)}\n{done.stdout}{done.stderr}[{time.monotonic() - began:.1f} s]\n"
            )
        if done.returncode not in accept:
            raise RuntimeError(f"{self._prefix}: exit {done.returncode}: {done.stderr[-1500:]}")

    def _file(self, name: str) -> Path:
        return self._out / f"{self._prefix}.{name}"


def _provenance(folder: Path) -> dict[str, Any]:
    """What all cases share; allocator options and buckets are a case's own."""
    found: dict[str, Any] = {}
    for path in sorted(folder.glob("*.costs.json.gz")):
        found = _costs(path)["provenance"]
    libraries = {name: value for name, value in found.get("libraries", {}).items() if name != "allocator"}
    return {**{k: v for k, v in found.items() if k != "buckets_sha256"}, "libraries": libraries}


def _costs(path: Path) -> Any:
    return json.loads(gzip.decompress(path.read_bytes()))


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--graphplan", type=Path, required=True, help="the graphplan program")
    parser.add_argument("-o", "--output", type=Path, required=True, help="a folder for the results")
    parser.add_argument("--models", help="of these names only, separated by commas")
    parser.add_argument("--jobs", type=int, default=1, help="cases at once: needs NVML's memory of a process")
    options = parser.parse_args()
    options.output.mkdir(parents=True, exist_ok=True)
    wanted = options.models.split(",") if options.models else [model.name for model in MODELS]
    cases = [
        Case(model, allocator, options.graphplan, options.output)
        for model in MODELS
        if model.name in wanted
        for allocator in ALLOCATORS
    ]
    rows, failed = _run(cases, options.jobs)
    results = {"provenance": _provenance(options.output), "rows": rows}
    (options.output / "results.json").write_text(json.dumps(results, separators=(",", ":")) + "\n")
    (options.output / "table.md").write_text(table(results))
    print(table(results))
    return 1 if failed else 0


def _run(cases: Sequence[Case], jobs: int) -> tuple[list[dict[str, Any]], bool]:
    rows: list[dict[str, Any]] = []
    failed = False
    with ThreadPoolExecutor(jobs) as pool:
        for waiting in [pool.submit(case.run) for case in cases]:
            try:
                rows += waiting.result()
            except (RuntimeError, KeyError, ValueError) as error:
                failed = True
                print(f"FAILED: {error}", file=sys.stderr)
    return rows, failed


if __name__ == "__main__":
    sys.exit(main())
