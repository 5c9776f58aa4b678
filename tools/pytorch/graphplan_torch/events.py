"""torch's memory history as graphplan events: ["a", id, bytes(, tag)] and ["f", id].

Sizes are the requested ones: the history of torch's caching allocator records an allocation before
rounding (PyTorch, c10/cuda/CUDACachingAllocator.cpp).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

#: ["a", id, bytes], ["a", id, bytes, tag] or ["f", id]
Event = list[Any]


@dataclass(frozen=True)
class Ranges:
    """The addresses of a pool's segments."""

    spans: tuple[tuple[int, int], ...]

    @classmethod
    def of_segments(cls, segments: Iterable[Mapping[str, Any]]) -> Ranges:
        return cls(tuple((s["address"], s["address"] + s["total_size"]) for s in segments))

    def holds(self, address: int) -> bool:
        return any(begin <= address < end for begin, end in self.spans)


def trace_of(
    history: Iterable[Mapping[str, Any]],
    pool: Ranges,
    outputs: Collection[int] = (),
    workspaces: Collection[int] = (),
) -> list[Event]:
    """The events of one capture's pool, ids counting from 0.

    `outputs` and `workspaces` are addresses that are live at the history's end; the allocations that
    made them get a tag. Entries outside the pool are somebody else's and are left out, as are frees of
    what was allocated before the history began.
    """
    events: list[Event] = []
    live: dict[int, Event] = {}
    made = 0
    for entry in history:
        action = entry["action"]
        if action not in ("alloc", "free_completed") or not pool.holds(entry["addr"]):
            continue
        address = entry["addr"]
        if action == "alloc":
            live[address] = ["a", made, entry["size"]]
            events.append(live[address])
            made += 1
        elif address in live:
            events.append(["f", live.pop(address)[1]])
    _tag(live, workspaces, "workspace")
    _tag(live, outputs, "output")
    return events


def freed_by(history: Iterable[Mapping[str, Any]], pool: Ranges) -> set[int]:
    """The addresses of a pool whose blocks a piece of history frees."""
    return {e["addr"] for e in history if e["action"] == "free_completed" and pool.holds(e["addr"])}


def bytes_tagged(events: Iterable[Event], tag: str) -> int:
    return sum(event[2] for event in events if event[0] == "a" and event[3:] == [tag])


def _tag(live: Mapping[int, Event], addresses: Collection[int], tag: str) -> None:
    for address in addresses:
        if address in live and len(live[address]) == 3:
            live[address].append(tag)
