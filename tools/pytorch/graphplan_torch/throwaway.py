"""A capture that is made to be measured, and handed back whole, pass or fail."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

import torch

from .cuda_driver import Driver
from .errors import PoisonedError
from .events import Event, Ranges, bytes_tagged, freed_by, trace_of
from .graphs import capture_graph
from .walks import storages

History = Callable[[], list[dict[str, Any]]]


@dataclass(frozen=True)
class Throwaway:
    """What one capture took, alone in its pool."""

    pool_bytes: int
    kept_bytes: int
    nodes: int
    events: list[Event]
    #: in the ordinary pool while the graph lived: the random state that it reads
    random_state_bytes: int


class ThrowawayCaptures:
    """Captures on a stream of their own: its library workspaces are cleared after each.

    The stream is made with the first capture, so that what a process pays once for it can be seen.
    """

    def __init__(self, device: torch.device, driver: Driver) -> None:
        self._device = device
        self._driver = driver
        self._stream: torch.cuda.Stream | None = None

    def capture(self, run: Callable[[], Any], look: Callable[[int, int], None]) -> Throwaway:
        """Captures `run`; `look(raw_graph, nodes)` may copy the graph before it goes."""
        self._stream = self._stream or torch.cuda.Stream(self._device)
        try:
            found = self._captured(run, look, self._stream)
        except PoisonedError:  # nothing can be handed back on a broken context
            raise
        except BaseException:
            self._hand_back()
            raise
        self._hand_back()
        left = torch.cuda.memory_reserved(self._device)
        return replace(found, random_state_bytes=found.random_state_bytes - left)

    @staticmethod
    def _hand_back() -> None:
        gc.collect()
        torch._C._cuda_clearCublasWorkspaces()
        torch.cuda.empty_cache()

    def _captured(
        self, run: Callable[[], Any], look: Callable[[int, int], None], stream: torch.cuda.Stream
    ) -> Throwaway:
        pool = torch.cuda.graph_pool_handle()
        with _memory_history(self._device) as history:
            graph, outputs = capture_graph(run, pool, stream)
            made = history()
            # what goes now, while the graph and its outputs stay, is a library's
            torch._C._cuda_clearCublasWorkspaces()
            cleared = history()[len(made) :]
        segments = pool_segments(pool, self._device)
        ranges = Ranges.of_segments(segments)
        events = trace_of(made, ranges, storages(outputs), freed_by(cleared, ranges))
        nodes = self._driver.nodes(graph.raw_cuda_graph())
        look(graph.raw_cuda_graph(), nodes)
        taken = sum(segment["total_size"] for segment in segments)
        torch.cuda.empty_cache()
        beside = torch.cuda.memory_reserved(self._device) - taken
        return Throwaway(taken, bytes_tagged(events, "output"), nodes, events, beside)


def pool_segments(pool: tuple[int, int], device: torch.device) -> list[dict[str, Any]]:
    segments = torch.cuda.memory_snapshot(pool)
    return [segment for segment in segments if segment["device"] == device.index]


@contextmanager
def _memory_history(device: torch.device) -> Iterator[History]:
    """The allocator's own events while the context lasts. Ends any other recording."""
    record = torch.cuda.memory._record_memory_history
    record("all", context=None, stacks="python", device=device, clear_history=True)
    try:
        yield lambda: torch.cuda.memory._snapshot()["device_traces"][device.index]
    finally:
        record(None, device=device)
