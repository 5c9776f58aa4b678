"""Measures what each bucket costs: warms it, captures it once thrown away, hands everything back."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from typing import Any

import torch

from .buckets import Bucket, sizing_order
from .cuda_driver import Driver
from .documents import BucketCost, Costs
from .environment import Environment, Meter, inspect
from .errors import PoisonedError, WarmupError
from .executables import Copies, Executable, held_copies, measure
from .graphs import preserved_random_state
from .throwaway import ThrowawayCaptures
from .walks import Nodes, StaticInputs, storages, walk_of

log = logging.getLogger("graphplan_torch")

WalkName = tuple[str, str, str | None]


def size(
    nodes: Nodes,
    buckets: Iterable[Bucket],
    *,
    warmup: int = 2,
    device: torch.device | str | int | None = None,
    buckets_sha256: str | None = None,
) -> dict[str, Any]:
    """The `graphplan.costs` document of a model's buckets, as this process and device run them.

    Each bucket runs `warmup` forwards eagerly, then each is captured once; denied ones are only warmed.
    Afterwards pools, library workspaces and random state are as they were. Raises WarmupError where a
    forward fails, AllocatorError for allocator options that graphplan does not model.
    """
    return Sizer(nodes, buckets, inspect(device), warmup, buckets_sha256).run().document()


class Sizer:
    """One sizing run of a model on one device."""

    def __init__(
        self,
        nodes: Nodes,
        buckets: Iterable[Bucket],
        environment: Environment,
        warmup: int = 2,
        buckets_sha256: str | None = None,
    ) -> None:
        if warmup < 1:
            raise ValueError(f"warmup is {warmup}; every bucket needs at least one forward")
        self._nodes = nodes
        self._buckets = list(buckets)
        self._environment = environment
        self._warmup = warmup
        self._meter = Meter(environment)
        self._driver = Driver()
        self._throwaways = ThrowawayCaptures(environment.device, self._driver)
        self._executables: dict[WalkName, Executable | None] = {}
        self._copied_bytes = 0
        self._random_state_bytes = 0
        digest = {} if buckets_sha256 is None else {"buckets_sha256": buckets_sha256}
        self._provenance = {**environment.provenance, **digest}

    def run(self) -> Costs:
        device = self._environment.device
        with torch.cuda.device(device), preserved_random_state(device), held_copies(self._driver) as copies:
            return self._run(copies)

    def _run(self, copies: Copies) -> Costs:
        """Warms all, then captures all, as serving does: what the warm-ups leave behind is what it pays."""
        static = StaticInputs(self._nodes, self._buckets)
        outside, reserved = self._meter.outside(), self._meter.reserved()
        costs = Costs(self._provenance, self._environment.allocator_options, self._meter.free())
        for node in dict.fromkeys(bucket.node for bucket in self._buckets):
            mine = sizing_order(bucket for bucket in self._buckets if bucket.node == node)
            costs.pools[node] = [self._warm(bucket, static) for bucket in mine]
        workspaces = self._meter.reserved() - reserved
        for cost in (cost for pool in costs.pools.values() for cost in pool):
            self._capture(cost, static, copies)
        costs.walks = {walk: found for walk, found in self._executables.items() if found is not None}
        outside = self._meter.outside() - outside - self._copied_bytes
        costs.one_off_bytes = max(0, outside) + workspaces + self._random_state_bytes
        costs.free_bytes = self._meter.free()
        log.info(
            "once for the process, by %s: %.1f MiB of modules, handles and streams, %.1f MiB of workspaces, "
            "%.1f MiB of random state",
            self._environment.reader.source,
            outside / 2**20,
            workspaces / 2**20,
            self._random_state_bytes / 2**20,
        )
        return costs

    def _warm(self, bucket: Bucket, static: StaticInputs) -> BucketCost:
        """Runs every slot eagerly; peak and kept bytes are slot 0's, from its last forward."""
        free = self._meter.free()
        try:
            peak, kept = self._forwards(bucket, static, 0)
            for slot in range(1, bucket.slots):
                self._forwards(bucket, static, slot)
        except Exception as error:
            raise WarmupError(
                f"{bucket.node} {bucket.shape}: could not run eagerly, with {free / 2**20:.0f} MiB free "
                f"before it: {error}"
            ) from error
        return BucketCost(bucket, peak, kept)

    def _forwards(self, bucket: Bucket, static: StaticInputs, slot: int) -> tuple[int, int]:
        walk, device = walk_of(self._nodes, bucket), self._environment.device
        inputs = static.of(bucket)
        given = storages(inputs)
        peak = kept = 0
        for _ in range(self._warmup):
            walk.ready(bucket.shape, slot)
            torch.cuda.synchronize(device)
            torch.cuda.empty_cache()  # so that segments count: what a step takes where none is cached
            live, reserved = torch.cuda.memory_allocated(device), torch.cuda.memory_reserved(device)
            torch.cuda.reset_peak_memory_stats(device)
            returned = storages(walk.call(inputs))
            peak = max(torch.cuda.max_memory_allocated(device) - live,
                       torch.cuda.max_memory_reserved(device) - reserved)
            kept = sum(nbytes for address, nbytes in returned.items() if address not in given)
        return peak, kept

    def _capture(self, cost: BucketCost, static: StaticInputs, copies: Copies) -> None:
        """Fills in what the bucket's graph costs, or why it has none."""
        bucket = cost.bucket
        if bucket.denied:
            cost.failure = "denied: its capture is denied"
        else:
            try:
                self._throw_away(cost, static, copies)
            except PoisonedError:
                raise
            except Exception as error:
                cost.failure = f"capture: {error}"
                log.warning("%s %s: could not be captured: %s", bucket.node, bucket.shape, error)
        size = cost.failure or f"{(cost.graph_bytes or 0) / 2**20:.1f} MiB"
        log.info(
            "%s %s: eager peak %.1f MiB, graph %s", bucket.node, bucket.shape, cost.peak_bytes / 2**20, size
        )

    def _throw_away(self, cost: BucketCost, static: StaticInputs, copies: Copies) -> None:
        bucket = cost.bucket
        walk, inputs = walk_of(self._nodes, bucket), static.of(bucket)
        name = (bucket.node, bucket.shape.walk, bucket.shape.key)

        def look(raw_graph: int, nodes: int) -> None:
            if self._executables.get(name) is None:
                self._executables[name] = self._measured(name, raw_graph, nodes, copies)

        walk.ready(bucket.shape, 0)
        taken = self._throwaways.capture(lambda: walk.call(inputs), look)
        self._random_state_bytes = max(self._random_state_bytes, taken.random_state_bytes)
        executable = self._executables[name]
        if executable is None:
            cost.failure = "instantiate: the driver made no executable of the graph to measure"
            return
        cost.graph_bytes, cost.kept_bytes = taken.pool_bytes, taken.kept_bytes
        cost.nodes, cost.events = taken.nodes, taken.events
        cost.outside_bytes = executable.outside_bytes(taken.nodes)

    def _measured(self, name: WalkName, raw_graph: int, nodes: int, copies: Copies) -> Executable | None:
        if not nodes:
            return None
        wanted = sum(b.slots for b in self._buckets if (b.node, b.shape.walk, b.shape.key) == name)
        before = self._meter.used()
        found = measure(nodes, copies.of(raw_graph), self._meter.used, self._environment.reader.own, wanted)
        self._copied_bytes += self._meter.used() - before
        return found
