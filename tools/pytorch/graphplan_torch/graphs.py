"""Captures one CUDA graph, and leaves no trace of a capture that fails."""

from __future__ import annotations

import gc
import sys
import traceback
import warnings
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from typing import Any

import torch

from .errors import PoisonedError

#: what `torch.cuda.graph_pool_handle` returns
Pool = tuple[int, int]


def capture_graph(
    run: Callable[[], Any], pool: Pool, stream: torch.cuda.Stream
) -> tuple[torch.cuda.CUDAGraph, Any]:
    """A graph of `run` that allocates from `pool`, not yet instantiated, and what `run` returned.

    Captures of one pool share one stream: libraries keep a workspace for each stream. A capture that
    fails raises its first error, and afterwards the next one works: the allocator no longer routes into
    the pool, the random generator no longer counts for a graph, the thread is back on its stream.
    """
    graph = torch.cuda.CUDAGraph(keep_graph=True)
    torch.cuda.synchronize(stream.device)
    gc.collect()
    torch.cuda.empty_cache()
    with torch.cuda.stream(stream), _settled():
        graph.capture_begin(pool=pool)
        try:
            outputs = run()
            graph.capture_end()
        except BaseException as error:
            traceback.clear_frames(error.__traceback__)
            _abandon(graph, pool, stream)
            raise
    gc.collect()
    return graph, outputs


@contextmanager
def preserved_random_state(device: torch.device) -> Iterator[None]:
    """Random numbers afterwards are those that would have come without what runs inside."""
    generator = torch.cuda.default_generators[device.index]
    device_state, host_state = generator.get_state(), torch.get_rng_state()
    poisoned = False
    try:
        yield
    except PoisonedError:
        poisoned = True
        raise
    finally:
        torch.set_rng_state(host_state)
        if not poisoned:
            generator.set_state(device_state)


@contextmanager
def _settled() -> Iterator[None]:
    """Nothing that decides or tidies up by itself while a capture runs.

    cuDNN's benchmark search belongs into the warm-up: in a capture it would time candidates and empty the
    allocator's cache. A compiled forward must not compile in here (dynamo saves the random state first,
    which CUDA refuses), so it fails at once with the guard that broke. Garbage is collected before and
    after, so that a trace's frees don't depend on when the collector happened to run.
    """
    benchmark, collecting = torch.backends.cudnn.benchmark, gc.isenabled()
    torch.backends.cudnn.benchmark = False
    gc.disable()
    try:
        with ExitStack() as stack:
            if "torch._dynamo" in sys.modules:
                stack.enter_context(torch.compiler.set_stance("fail_on_recompile"))
            yield
    finally:
        torch.backends.cudnn.benchmark = benchmark
        if collecting:
            gc.enable()


def _abandon(graph: torch.cuda.CUDAGraph, pool: Pool, stream: torch.cuda.Stream) -> None:
    with suppress(RuntimeError):
        graph.capture_end()
    if not _ended(graph):
        with suppress(RuntimeError):
            torch._C._cuda_endAllocateToPool(stream.device.index, pool)
        with suppress(RuntimeError):
            torch._C._cuda_releasePool(stream.device.index, pool)
    try:
        torch.cuda.synchronize(stream.device)
        if not _ended(graph):
            _settle_generator()
    except RuntimeError as error:
        raise PoisonedError(
            f"the failed capture broke the CUDA context: {error}; start a new process, and give this "
            'bucket "capture": "deny"'
        ) from error


def _ended(graph: torch.cuda.CUDAGraph) -> bool:
    """Whether torch counts the capture as ended; then the graph hands its pool back by itself."""
    try:
        graph.pool()
    except RuntimeError:
        return False
    return True


def _settle_generator() -> None:
    """A capture that was cut off leaves the random generator counting for a graph; an empty one ends that."""
    graph = torch.cuda.CUDAGraph()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # torch warns that the graph is empty
        graph.capture_begin()
        graph.capture_end()
