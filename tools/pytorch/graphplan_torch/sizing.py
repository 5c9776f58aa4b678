"""Measures what each bucket costs: warms it, captures it once thrown away, hands everything back."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from dataclasses import dataclass
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
from .walks import Nodes, StaticInputs, Walk, storages, walk_of

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

    Each bucket runs `warmup` forwards eagerly and is captured once; denied ones are only warmed.
    Afterwards pools, library workspaces and random state are as they were. Raises WarmupError where a
    forward fails, AllocatorError for allocator options that graphplan does not model.
    """
    return Sizer(nodes, buckets, inspect(device), warmup, buckets_sha256).run().document()


@dataclass(frozen=True)
class Warmed:
    """A bucket whose forward has run: what its capture reads."""

    walk: Walk
    inputs: dict[str, Any]
    peak_bytes: int
    kept_bytes: int


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
        self._workspace_bytes = 0
        self._beside_bytes = 0
        digest = {} if buckets_sha256 is None else {"buckets_sha256": buckets_sha256}
        self._provenance = {**environment.provenance, **digest}

    def run(self) -> Costs:
        device = self._environment.device
        with torch.cuda.device(device), preserved_random_state(device), held_copies(self._driver) as copies:
            return self._run(copies)

    def _run(self, copies: Copies) -> Costs:
        static = StaticInputs(self._nodes, self._buckets)
        before = self._meter.outside()
        self._reserved_before = self._meter.reserved()
        costs = Costs(self._provenance, self._environment.allocator_options, self._meter.free())
        for node in dict.fromkeys(bucket.node for bucket in self._buckets):
            mine = sizing_order(bucket for bucket in self._buckets if bucket.node == node)
            costs.pools[node] = [self._size(bucket, static, copies) for bucket in mine]
        costs.walks = {walk: found for walk, found in self._executables.items() if found is not None}
        outside = self._meter.outside() - before - self._copied_bytes
        costs.one_off_bytes = max(0, outside) + self._workspace_bytes + self._beside_bytes
        costs.free_bytes = self._meter.free()
        log.info(
            "once for the process, by %s: %.1f MiB of modules, handles and streams, %.1f MiB of workspaces, "
            "%.1f MiB of random state",
            self._environment.reader.source,
            outside / 2**20,
            self._workspace_bytes / 2**20,
            self._beside_bytes / 2**20,
        )
        return costs

    def _size(self, bucket: Bucket, static: StaticInputs, copies: Copies) -> BucketCost:
        warmed = self._warm(bucket, static)
        left = self._meter.reserved() - self._reserved_before
        self._workspace_bytes = max(self._workspace_bytes, left)
        cost = BucketCost(bucket, warmed.peak_bytes, warmed.kept_bytes)
        if bucket.denied:
            cost.failure = "denied: its capture is denied"
        else:
            self._capture(cost, warmed, copies)
        log.info(
            "%s %s: eager peak %.1f MiB, graph %s",
            bucket.node,
            bucket.shape,
            cost.peak_bytes / 2**20,
            cost.failure or f"{(cost.graph_bytes or 0) / 2**20:.1f} MiB",
        )
        return cost

    def _warm(self, bucket: Bucket, static: StaticInputs) -> Warmed:
        """Runs every slot eagerly; peak and kept bytes are slot 0's, from its last forward."""
        free = self._meter.free()
        try:
            first = self._forwards(bucket, static, 0)
            for slot in range(1, bucket.slots):
                self._forwards(bucket, static, slot)
            walk = walk_of(self._nodes, bucket)
            if walk.prepare is not None:
                walk.prepare(bucket.shape, 0)
            return first
        except Exception as error:
            raise WarmupError(
                f"{bucket.node} {bucket.shape}: could not run eagerly, with {free / 2**20:.0f} MiB free "
                f"before it: {error}"
            ) from error

    def _forwards(self, bucket: Bucket, static: StaticInputs, slot: int) -> Warmed:
        walk, device = walk_of(self._nodes, bucket), self._environment.device
        inputs = static.of(bucket)
        peak = kept = 0
        for _ in range(self._warmup):
            if walk.prepare is not None:
                walk.prepare(bucket.shape, slot)
            torch.cuda.synchronize(device)
            live = torch.cuda.memory_allocated(device)
            torch.cuda.reset_peak_memory_stats(device)
            returned = storages(walk.call(inputs))
            peak = torch.cuda.max_memory_allocated(device) - live
            kept = sum(nbytes for address, nbytes in returned.items() if address not in storages(inputs))
        return Warmed(walk, inputs, peak, kept)

    def _capture(self, cost: BucketCost, warmed: Warmed, copies: Copies) -> None:
        bucket = cost.bucket
        name = (bucket.node, bucket.shape.walk, bucket.shape.key)

        def look(raw_graph: int, nodes: int) -> None:
            if self._executables.get(name) is None:
                self._executables[name] = self._measured(name, raw_graph, nodes, copies)

        try:
            taken = self._throwaways.capture(lambda: warmed.walk.call(warmed.inputs), look)
        except PoisonedError:
            raise
        except Exception as error:
            cost.failure = f"capture: {error}"
            log.warning("%s %s: could not be captured: %s", bucket.node, bucket.shape, error)
            return
        self._beside_bytes = max(self._beside_bytes, taken.beside_bytes)
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
        found = measure(nodes, copies.of(raw_graph), self._meter.used, wanted)
        self._copied_bytes += self._meter.used() - before
        return found
