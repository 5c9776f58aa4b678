"""Captures a plan's graphs and serves from them."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch

from .buckets import Bucket, Shape, sizing_order
from .documents import Plan, PlannedPool, differences, plan_of, read
from .environment import Environment, Meter, inspect
from .errors import DifferentEnvironmentError, GraphsMissingError, PoisonedError
from .graphs import Pool, capture_graph, preserved_random_state
from .replaying import PaddingRows, Turns, tightest
from .report import PoolReport, Report, Taken
from .throwaway import pool_segments
from .walks import Nodes, StaticInputs, Walk, map_tensors, stage, tensors_in, walk_of

log = logging.getLogger("graphplan_torch")


def capture(
    plan: Mapping[str, Any] | str | Path,
    nodes: Nodes,
    *,
    warmup: int = 2,
    device: torch.device | str | int | None = None,
    aliases: Mapping[str, str] | None = None,
    same_environment: bool = False,
    require_graphs: bool | None = None,
) -> Session:
    """Captures a plan's buckets in its order, into one pool for each node, after `warmup` forwards of all.

    `aliases` lets a walk replay another's captures. A bucket that cannot be captured is dropped, loudly;
    `require_graphs` (or GRAPHPLAN_REQUIRE_GRAPHS=1) makes that a GraphsMissingError. A plan that was made
    for another device, driver or library is a warning, with `same_environment` an error.
    """
    content = read(plan, "graphplan.plan").content if isinstance(plan, (str, Path)) else plan
    environment, wanted = inspect(device), plan_of(content)
    _compare(wanted, environment, same_environment)
    session = Session(wanted, nodes, environment, warmup, aliases or {})
    dropped = session.report.dropped
    if require_graphs is None:
        require_graphs = os.environ.get("GRAPHPLAN_REQUIRE_GRAPHS") == "1"
    if dropped and require_graphs:
        raise GraphsMissingError("graphs are required, but these were dropped: " + "; ".join(dropped))
    return session


def _compare(plan: Plan, environment: Environment, strict: bool) -> None:
    found = differences(plan.provenance, environment.provenance)
    if found and strict:
        raise DifferentEnvironmentError("; ".join(found) + "; size and plan again here")
    for difference in found:
        log.warning("%s; its prediction may not hold", difference)


@dataclass
class Slot:
    """One graph and what it writes."""

    graph: torch.cuda.CUDAGraph
    inputs: dict[str, Any]
    outputs: Any


@dataclass
class Captured:
    """A bucket with all its slots."""

    bucket: Bucket
    slots: list[Slot]
    turns: Turns = field(init=False)

    def __post_init__(self) -> None:
        self.turns = Turns(len(self.slots))


class Session:
    """The captured graphs of a plan. One thread at a time; graphs of a node replay one after another."""

    def __init__(
        self, plan: Plan, nodes: Nodes, environment: Environment, warmup: int, aliases: Mapping[str, str]
    ) -> None:
        self._nodes = nodes
        self._device = environment.device
        self._aliases = aliases
        self._padding = PaddingRows()
        self._captured: dict[tuple[str, str, str | None], dict[Shape, Captured]] = {}
        self._static = StaticInputs(nodes, [bucket for pool in plan.pools for bucket in pool.captures])
        with torch.cuda.device(self._device), preserved_random_state(self._device):
            self.report = self._capture(plan, Meter(environment), warmup)
        self.report.memory_source = environment.reader.source
        self.report.inputs_bytes = self._static.claimed_bytes
        self.report.separate_inputs_bytes = self._static.separate_bytes

    def captured(self) -> Iterable[Bucket]:
        """The buckets that replay, in the order in which they were captured."""
        return [found.bucket for walk in self._captured.values() for found in walk.values()]

    def run(
        self,
        walk: str,
        inputs: Mapping[str, torch.Tensor],
        *,
        node: str | None = None,
        key: str | None = None,
        tokens: int | None = None,
        copy: bool = True,
    ) -> Any:
        """A batch's outputs, real rows only: replayed in the tightest bucket that fits, else run eagerly.

        Rows are the first dimension of the first input; `tokens` is needed where a request has more than
        one. With `copy` off, replayed outputs are views that the next replay of the node overwrites.
        """
        node = node or self._only_node(walk)
        rows = len(next(iter(inputs.values())))
        tokens = rows if tokens is None else tokens
        program = self._nodes[node][self._aliases.get(walk, walk)]
        found = self._find(node, walk, key, rows, tokens)
        with torch.cuda.device(self._device):
            if found is None:
                return program.call(inputs)
            outputs = self._replay(found, program, inputs, rows)
        count = rows if program.output_rows == "bs" else tokens
        return map_tensors(outputs, lambda t: t[:count].clone() if copy else t[:count])

    def check(self, bucket: Bucket) -> bool:
        """Whether a captured bucket's replay gives what its eager forward does, bit for bit."""
        program = walk_of(self._nodes, bucket)
        found = self._captured[bucket.node, bucket.shape.walk, bucket.shape.key][bucket.shape]
        return all(self._same(program, bucket.shape, index, slot) for index, slot in enumerate(found.slots))

    def _same(self, program: Walk, shape: Shape, index: int, slot: Slot) -> bool:
        examples = program.make_inputs(shape)

        def ready() -> None:
            for name, example in examples.items():
                if isinstance(example, torch.Tensor):
                    slot.inputs[name].copy_(example)
            program.ready(shape, index)

        ready()
        eager = [tensor.clone() for tensor in tensors_in(program.call(slot.inputs))]
        ready()
        slot.graph.replay()
        replayed = list(tensors_in(slot.outputs))
        return len(eager) == len(replayed) and all(map(torch.equal, eager, replayed))

    def _find(self, node: str, walk: str, key: str | None, rows: int, tokens: int) -> Captured | None:
        captured = self._captured.get((node, self._aliases.get(walk, walk), key), {})
        shape = tightest(captured, rows, tokens)
        return None if shape is None else captured[shape]

    def _replay(self, found: Captured, program: Walk, inputs: Mapping[str, torch.Tensor], rows: int) -> Any:
        index = found.turns.take()
        slot, shape = found.slots[index], found.bucket.shape
        for name, value in inputs.items():
            if name not in slot.inputs:
                raise KeyError(f"{shape.walk} has no input {name!r}; it has {', '.join(slot.inputs)}")
            stage(slot.inputs[name], value, program.pad.get(name))
        if program.row_ids is not None and rows < shape.bs:
            ids = self._padding.ids(f"{found.bucket.node}/{shape.walk}", index, rows, shape.bs - rows)
            slot.inputs[program.row_ids][rows:] = torch.tensor(ids, device=self._device)
        program.ready(shape, index)
        slot.graph.replay()
        return slot.outputs

    def _only_node(self, walk: str) -> str:
        walk = self._aliases.get(walk, walk)
        having = [node for node, walks in self._nodes.items() if walk in walks]
        if len(having) != 1:
            raise KeyError(f"walk {walk!r} belongs to {len(having)} nodes; name the node")
        return having[0]

    def _capture(self, plan: Plan, meter: Meter, warmup: int) -> Report:
        taken, report = Taken(meter), Report()
        for pool in plan.pools:
            for bucket in sizing_order([*pool.captures, *pool.eager]):
                self._warm(bucket, warmup, bucket in pool.eager)
        taken.warmed()
        for pool in plan.pools:
            report.pools.append(self._capture_pool(pool, taken, report))
        taken.finish(report, plan.one_off_bytes)
        return report

    def _warm(self, bucket: Bucket, forwards: int, eager: bool) -> None:
        """Eager buckets too: what their steps pay once is paid before serving, as the plan has it."""
        walk = walk_of(self._nodes, bucket)
        inputs = walk.make_inputs(bucket.shape) if eager else self._static.of(bucket)
        for slot in range(bucket.slots):
            for _ in range(forwards):
                walk.ready(bucket.shape, slot)
                walk.call(inputs)

    def _capture_pool(self, planned: PlannedPool, taken: Taken, report: Report) -> PoolReport:
        if not planned.captures:
            return report.pool(planned, 0, 0, [])
        pool, stream = torch.cuda.graph_pool_handle(), torch.cuda.Stream(self._device)
        executables, after = 0, []
        for bucket in planned.captures:
            try:
                slots = []
                for index in range(bucket.slots):
                    slots.append(self._capture_slot(bucket, index, pool, stream))
                    after.append(self._pool_bytes(pool))
            except PoisonedError:
                raise
            except Exception as error:
                report.dropped.append(f"{planned.name}: {bucket.shape}: {error}")
                log.error("dropped, runs eagerly: %s", report.dropped[-1])
                continue
            for slot in slots:
                executables += taken.executable(slot.graph.instantiate)
            walk = (bucket.node, bucket.shape.walk, bucket.shape.key)
            self._captured.setdefault(walk, {})[bucket.shape] = Captured(bucket, slots)
        return report.pool(planned, self._pool_bytes(pool), executables, after)

    def _pool_bytes(self, pool: Pool) -> int:
        return sum(segment["total_size"] for segment in pool_segments(pool, self._device))

    def _capture_slot(self, bucket: Bucket, slot: int, pool: Pool, stream: torch.cuda.Stream) -> Slot:
        walk, inputs = walk_of(self._nodes, bucket), self._static.of(bucket)
        walk.ready(bucket.shape, slot)
        graph, outputs = capture_graph(lambda: walk.call(inputs), pool, stream)
        return Slot(graph, inputs, outputs)
