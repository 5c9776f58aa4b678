"""What capturing took against what the plan predicted, each megabyte under a name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from typing import Any, Protocol

from .documents import PlannedPool

MIB = 2**20


@dataclass(frozen=True)
class PoolReport:
    """One pool: its allocator memory and the executables of its graphs."""

    name: str
    predicted_bytes: int
    taken_bytes: int
    predicted_outside_bytes: int
    taken_outside_bytes: int
    #: the pool after each capture
    taken_after_bytes: list[int]


@dataclass
class Report:
    """A capture run. `*_once_bytes` are what a process pays once, whatever it captures."""

    pools: list[PoolReport] = field(default_factory=list)
    dropped: list[str] = field(default_factory=list)
    #: loaded by the warm-up forwards: kernels' modules, library handles
    modules_once_bytes: int = 0
    #: left in torch's allocator by the warm-up forwards: library workspaces of the eager stream
    workspaces_once_bytes: int = 0
    #: outside the allocator since the warm-up, less executables: what a first capture sets up
    first_capture_once_bytes: int = 0
    predicted_device_bytes: int = 0
    taken_device_bytes: int = 0
    inputs_bytes: int = 0
    separate_inputs_bytes: int = 0
    memory_source: str = ""

    def pool(self, planned: PlannedPool, taken: int, executables: int, after: list[int]) -> PoolReport:
        predicted, outside = planned.predicted_bytes, planned.outside_bytes
        return PoolReport(planned.name, predicted, taken, outside, executables, after)

    def document(self) -> dict[str, Any]:
        return asdict(self)

    def lines(self) -> list[str]:
        """The report for people."""
        lines = [
            f"{p.name}: pool {_mib(p.taken_bytes)} (predicted {_mib(p.predicted_bytes)}), executables "
            f"{_mib(p.taken_outside_bytes)} (predicted {_mib(p.predicted_outside_bytes)})"
            for p in self.pools
        ]
        lines.append(
            f"device: {_mib(self.taken_device_bytes)} (predicted {_mib(self.predicted_device_bytes)}); "
            f"once: modules {_mib(self.modules_once_bytes)}, workspaces {_mib(self.workspaces_once_bytes)}, "
            f"first capture {_mib(self.first_capture_once_bytes)} (read from {self.memory_source})"
        )
        saved = self.separate_inputs_bytes - self.inputs_bytes
        lines.append(
            f"static inputs: {_mib(self.inputs_bytes)}, {_mib(saved)} less than a copy for each bucket"
        )
        return lines + [f"dropped, runs eagerly: {dropped}" for dropped in self.dropped]


def _mib(size: int) -> str:
    return f"{size / MIB:.1f} MiB"


class MemoryMeter(Protocol):
    """Readings of this process's device memory."""

    def used(self) -> int: ...
    def reserved(self) -> int: ...


class Taken:
    """Readings around the steps of a capture run; each byte falls under one name."""

    def __init__(self, meter: MemoryMeter) -> None:
        self._meter = meter
        self._reserved = meter.reserved()
        self._used = meter.used()
        self._warm_reserved = self._reserved
        self._warm_used = self._used
        self._executables = 0

    def warmed(self) -> None:
        self._warm_reserved = self._meter.reserved()
        self._warm_used = self._meter.used()

    def executable(self, instantiate: Callable[[], object]) -> int:
        before = self._meter.used()
        instantiate()
        took = self._meter.used() - before
        self._executables += took
        return took

    def finish(self, report: Report, predicted_once: int) -> None:
        reserved, used = self._meter.reserved(), self._meter.used()
        pools = sum(pool.taken_bytes for pool in report.pools)
        report.workspaces_once_bytes = reserved - self._reserved - pools
        report.modules_once_bytes = (self._warm_used - self._used) - (self._warm_reserved - self._reserved)
        outside = (used - self._warm_used) - (reserved - self._warm_reserved)
        report.first_capture_once_bytes = outside - self._executables
        report.taken_device_bytes = used - self._used
        report.predicted_device_bytes = predicted_once + sum(
            pool.predicted_bytes + pool.predicted_outside_bytes for pool in report.pools
        )
