"""Forward programs of a model as torch runs them, and the buffers that their graphs read."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import torch

from .buckets import Bucket, Shape

#: walks by name, for each node: what `size` and `capture` are given
Nodes = Mapping[str, Mapping[str, "Walk"]]


@dataclass(frozen=True)
class Walk:
    """One forward program of a node.

    `forward` takes the inputs by name and returns tensors, however nested. It may read and write state
    of its own (weights, caches) at fixed addresses. It must not allocate state that outlives the call.
    """

    forward: Callable[..., Any]
    #: example inputs of a shape, valid to run on; tensors become static buffers
    make_inputs: Callable[[Shape], Mapping[str, Any]]
    #: dtype that the forward is autocast to; None runs it as it is, whatever autocast is around
    autocast: torch.dtype | None = None
    #: what the first dimension of each output counts
    output_rows: Literal["bs", "tokens"] = "bs"
    #: inputs whose unused tail is filled with this value before a replay; others keep what they held
    pad: Mapping[str, int | float] = field(default_factory=dict)
    #: the input that holds each row's identity, if there is one; padding rows get their own
    row_ids: str | None = None
    #: runs before each forward and each capture of (shape, slot), outside the graph
    prepare: Callable[[Shape, int], None] | None = None

    def ready(self, shape: Shape, slot: int) -> None:
        if self.prepare is not None:
            self.prepare(shape, slot)

    def call(self, inputs: Mapping[str, Any]) -> Any:
        """The forward under this walk's autocast alone, without gradients."""
        dtype = self.autocast
        with torch.no_grad(), torch.autocast("cuda", dtype or torch.bfloat16, enabled=dtype is not None):
            return self.forward(**inputs)


def walk_of(nodes: Nodes, bucket: Bucket) -> Walk:
    walks = nodes.get(bucket.node)
    if walks is None:
        raise KeyError(f"the model has no node {bucket.node!r}; it has {', '.join(map(repr, nodes))}")
    if bucket.shape.walk not in walks:
        raise KeyError(f"node {bucket.node!r} has no walk {bucket.shape.walk!r}; it has {', '.join(walks)}")
    return walks[bucket.shape.walk]


def tensors_in(value: Any) -> Iterator[torch.Tensor]:
    """Every tensor of a nested value: mappings, lists, tuples, dataclasses."""
    if isinstance(value, torch.Tensor):
        yield value
    elif isinstance(value, Mapping):
        yield from (t for item in value.values() for t in tensors_in(item))
    elif isinstance(value, (list, tuple)):
        yield from (t for item in value for t in tensors_in(item))
    elif dataclasses.is_dataclass(value) and not isinstance(value, type):
        yield from (t for item in vars(value).values() for t in tensors_in(item))


def map_tensors(value: Any, change: Callable[[torch.Tensor], torch.Tensor]) -> Any:
    """The value with each tensor changed; mappings become dicts."""
    if isinstance(value, torch.Tensor):
        return change(value)
    if isinstance(value, Mapping):
        return {name: map_tensors(item, change) for name, item in value.items()}
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return type(value)(*(map_tensors(item, change) for item in value))
    if isinstance(value, (list, tuple)):
        return type(value)(map_tensors(item, change) for item in value)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        changed = {name: map_tensors(item, change) for name, item in vars(value).items()}
        return dataclasses.replace(value, **changed)
    return value


def storages(value: Any) -> dict[int, int]:
    """Address to bytes of the distinct storages behind a value: outputs that alias count once."""
    found = (tensor.untyped_storage() for tensor in tensors_in(value))
    return {storage.data_ptr(): storage.nbytes() for storage in found}


class StaticInputs:
    """One buffer for each (node, walk, key, input), as large as the largest shape needs.

    A smaller shape's input is a view of the buffer's beginning, so every graph of a walk reads the same
    addresses and the buffers cost what the largest bucket's inputs do.
    """

    def __init__(self, nodes: Nodes, buckets: Iterable[Bucket]) -> None:
        self._nodes = nodes
        self._buffers: dict[tuple[str, str, str | None, str], torch.Tensor] = {}
        #: what a copy for each bucket would take
        self.separate_bytes = 0
        for bucket in buckets:
            self._claim(bucket)

    @property
    def claimed_bytes(self) -> int:
        return sum(buffer.nbytes for buffer in self._buffers.values())

    def of(self, bucket: Bucket) -> dict[str, Any]:
        """A bucket's inputs: views of the buffers, holding fresh examples."""
        inputs = dict(walk_of(self._nodes, bucket).make_inputs(bucket.shape))
        for name, example in inputs.items():
            if isinstance(example, torch.Tensor):
                view = self._buffers[self._key(bucket, name)][: example.numel()].view(example.shape)
                view.copy_(example)
                inputs[name] = view
        return inputs

    def _claim(self, bucket: Bucket) -> None:
        for name, example in walk_of(self._nodes, bucket).make_inputs(bucket.shape).items():
            if not isinstance(example, torch.Tensor):
                continue
            self.separate_bytes += example.nbytes
            key = self._key(bucket, name)
            claimed = self._buffers.get(key)
            if claimed is not None and claimed.dtype != example.dtype:
                raise ValueError(
                    f"{bucket.node} {bucket.shape}: input {name!r} changes its dtype with the shape"
                )
            if claimed is None or claimed.numel() < example.numel():
                self._buffers[key] = torch.empty(example.numel(), dtype=example.dtype, device=example.device)

    @staticmethod
    def _key(bucket: Bucket, name: str) -> tuple[str, str, str | None, str]:
        return (bucket.node, bucket.shape.walk, bucket.shape.key, name)


def stage(static: torch.Tensor, value: torch.Tensor, fill: int | float | None = None) -> None:
    """Copies a batch's input into the leading corner of its buffer; `fill` overwrites the rest."""
    if value.dim() != static.dim() or any(v > s for v, s in zip(value.shape, static.shape, strict=True)):
        raise ValueError(f"an input of shape {tuple(value.shape)} does not fit {tuple(static.shape)}")
    if fill is not None and value.shape != static.shape:
        static.fill_(fill)
    corner = static
    for dim, size in enumerate(value.shape):
        corner = corner.narrow(dim, 0, size)
    corner.copy_(value)
