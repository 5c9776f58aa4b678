"""What to capture: the shapes of a `graphplan.buckets` document, in sizing order."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from .errors import DocumentError


@dataclass(frozen=True)
class Shape:
    """One shape of one walk, as documents name it."""

    walk: str
    key: str | None
    bs: int
    tokens: int

    def __str__(self) -> str:
        key = "" if self.key is None else f"[{self.key}]"
        return f"{self.walk}{key} bs={self.bs} tokens={self.tokens}"


@dataclass(frozen=True)
class Bucket:
    """A shape that a node may capture, and how."""

    node: str
    shape: Shape
    slots: int = 1
    denied: bool = False


def read_buckets(document: Mapping[str, Any]) -> list[Bucket]:
    """Every bucket of a parsed `graphplan.buckets` document, as the document lists them.

    Raises DocumentError naming the JSON pointer of what is wrong.
    """
    captures = document.get("captures")
    if not isinstance(captures, list) or not captures:
        raise DocumentError("/captures: expected a list of at least one capture")
    buckets: list[Bucket] = []
    seen: dict[tuple[str, Shape], str] = {}
    for index, capture in enumerate(captures):
        pointer = f"/captures/{index}"
        for bucket in _expand(capture, pointer):
            earlier = seen.setdefault((bucket.node, bucket.shape), pointer)
            if earlier != pointer:
                raise DocumentError(f"{pointer}: {bucket.node} {bucket.shape} is already in {earlier}")
            buckets.append(bucket)
    return buckets


def sizing_order(buckets: Iterable[Bucket]) -> list[Bucket]:
    """Largest (bs, tokens) first; equal ones stay as they stood."""
    return sorted(buckets, key=lambda b: (b.shape.bs, b.shape.tokens), reverse=True)


def _expand(capture: Mapping[str, Any], pointer: str) -> list[Bucket]:
    if "region" in capture:
        raise DocumentError(f"{pointer}/region: regions are not captured here; give the walk that holds it")
    node, walk = (_text(capture, name, pointer) for name in ("node", "walk"))
    slots = _positive(capture.get("slots", 1), f"{pointer}/slots")
    allow = capture.get("capture", "allow")
    if allow not in ("allow", "deny"):
        raise DocumentError(f'{pointer}/capture: found {allow!r}, expected "allow" or "deny"')
    key = capture.get("key")
    return [
        Bucket(node, Shape(walk, key, bs, tokens), slots, allow == "deny")
        for bs, tokens in _sizes(capture, pointer)
    ]


def _sizes(capture: Mapping[str, Any], pointer: str) -> list[tuple[int, int]]:
    batch_sizes = _positives(capture, "batch_sizes", pointer)
    kind = capture.get("kind", "batched")
    if kind == "batched":
        each = _positive(capture.get("tokens_per_request", 1), f"{pointer}/tokens_per_request")
        each *= _positive(capture.get("tokens_multiplier", 1), f"{pointer}/tokens_multiplier")
        return [(bs, bs * each) for bs in batch_sizes]
    if kind == "packed":
        lengths = _positives(capture, "token_lengths", pointer)
        return [(bs, tokens) for bs in batch_sizes for tokens in lengths]
    raise DocumentError(f'{pointer}/kind: found {kind!r}, expected "batched" or "packed"')


def split_rows(bs: int, tokens: int) -> list[int]:
    """How a packed bucket's tokens lie over its rows: evenly, the remainder on the first."""
    each, rest = divmod(tokens, bs)
    return [each + rest] + [each] * (bs - 1)


def _text(capture: Mapping[str, Any], name: str, pointer: str) -> str:
    value = capture.get(name)
    if not isinstance(value, str) or not value:
        raise DocumentError(f"{pointer}/{name}: found {value!r}, expected a name")
    return value


def _positive(value: object, pointer: str) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= 2**53:
        raise DocumentError(f"{pointer}: found {value!r}, expected an integer of at least 1")
    return value


def _positives(capture: Mapping[str, Any], name: str, pointer: str) -> list[int]:
    values = capture.get(name)
    if not isinstance(values, list) or not values:
        raise DocumentError(f"{pointer}/{name}: expected a list of at least one integer")
    return [_positive(value, f"{pointer}/{name}/{i}") for i, value in enumerate(values)]
