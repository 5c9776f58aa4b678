"""The results of `measure.py` as Markdown."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

MIB = 2**20

_WORDS = (
    "Each model was sized in one process. `graphplan plan --memory-model exact` then chose what to capture, "
    "once with room for all and once with half of it, and each plan was captured in a process of its own. "
    "`tools/pytorch/measure/measure.py` makes these tables."
)
_POOL_WORDS = (
    "MiB; in brackets how far a rule is off. *Two captures*: what each graph keeps, in whole segments, "
    "and the largest scratch, as the first two captures of a walk show it. *Two samples*: the pool's growth "
    "at its first capture, and at its second for each of the others. Both look at the same captures."
)
_POOL_HEAD = (
    "| model | allocator | plan | graphs | left out | taken | graphplan, exact | two captures | two samples "
    "| replay |",
    "|---|---|---|--:|--:|--:|--:|--:|--:|---|",
)
_DEVICE_WORDS = (
    "MiB that the process took from before its first forward to after its last capture. What it pays once: "
    "modules (kernels and library handles that the warm-up loads), workspaces (the eager stream's, and the "
    "random state that graphs read; both in torch's allocator), the first capture (streams)."
)
_DEVICE_HEAD = (
    "| model | allocator | plan | taken | predicted | off | pools | executables (predicted) | modules "
    "| workspaces | first capture | once, predicted |",
    "|---|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|",
)


def table(results: Mapping[str, Any]) -> str:
    """Two tables: pools by three rules, and device memory with every part of it named."""
    rows = results["rows"]
    lines = _heading(results["provenance"])
    lines += [_WORDS, "", "## Pools", "", _POOL_WORDS, "", *_POOL_HEAD]
    lines += [_pool_row(row) for row in rows]
    lines += ["", "## Device memory", "", _DEVICE_WORDS, "", *_DEVICE_HEAD]
    lines += [_device_row(row) for row in rows]
    return "\n".join(lines) + "\n"


def _heading(provenance: Mapping[str, Any]) -> list[str]:
    device = provenance.get("device", {}).get("name", "unknown device")
    libraries = [f"{name} {version}" for name, version in provenance.get("libraries", {}).items()]
    here = [
        device,
        f"driver {provenance.get('driver', 'unknown')}",
        provenance.get("framework", ""),
        *libraries,
    ]
    return ["# Predicted and taken, in fresh processes", "", f"{', '.join(here)}; {_day(provenance)}.", ""]


def _day(provenance: Mapping[str, Any]) -> str:
    return str(provenance.get("time", "no date"))[:10]


def _pool_row(row: Mapping[str, Any]) -> str:
    pools = row["report"]["pools"]
    taken = sum(pool["taken_bytes"] for pool in pools)
    rules = [
        sum(pool["predicted_bytes"] for pool in pools),
        row["two_captures_bytes"],
        row["two_samples_bytes"],
    ]
    cells = [f"{_mib(rule)} ({_off(rule, taken)})" for rule in rules]
    differ = row["report"].get("outputs_differ")
    replay = (
        "not checked" if differ is None else ("differs: " + ", ".join(differ) if differ else "equals eager")
    )
    return _line(row, row["graphs"], row["left_out"], _mib(taken), *cells, replay)


def _device_row(row: Mapping[str, Any]) -> str:
    report = row["report"]
    taken, predicted = report["taken_device_bytes"], report["predicted_device_bytes"]
    pools = report["pools"]
    executables = sum(pool["taken_outside_bytes"] for pool in pools)
    expected = sum(pool["predicted_outside_bytes"] for pool in pools)
    once = (report[f"{name}_once_bytes"] for name in ("modules", "workspaces", "first_capture"))
    return _line(
        row,
        _mib(taken),
        _mib(predicted),
        f"{(predicted - taken) / MIB:+.1f}",
        _mib(sum(pool["taken_bytes"] for pool in pools)),
        f"{_mib(executables)} ({_mib(expected)})",
        *map(_mib, once),
        _mib(row["one_off_bytes"]),
    )


def _line(row: Mapping[str, Any], *cells: object) -> str:
    return "| " + " | ".join(map(str, (row["model"], row["allocator"], row["plan"], *cells))) + " |"


def _mib(size: int) -> str:
    return f"{size / MIB:.1f}"


def _off(predicted: int, taken: int) -> str:
    off = predicted - taken
    return f"{off:+d} B" if abs(off) < MIB else f"{off / MIB:+.1f}"
