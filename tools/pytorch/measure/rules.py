"""Simpler rules for what a pool takes, to stand beside the allocator's replay in a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

SEGMENT = 2 * 2**20

Bucket = Mapping[str, Any]
Key = tuple[str, Any, int, int]


def key_of(bucket: Bucket) -> Key:
    return (bucket["walk"], bucket["key"], bucket["bs"], bucket["tokens"])


def lent_graphs(buckets: Sequence[Bucket]) -> dict[Key, int]:
    """Graph sizes if only a walk's first two buckets, and those that peak above the lender, were captured.

    The lender is the captured bucket of a walk with the largest eager peak; the others take its scratch
    and add their own kept bytes, unless a captured bucket took more scratch than it.
    """
    captured: dict[tuple[str, Any], list[Bucket]] = {}
    graphs: dict[Key, int] = {}
    for bucket in buckets:
        walk = captured.setdefault((bucket["walk"], bucket["key"]), [])
        lender = max(walk, key=lambda b: b["peak_bytes"], default=None)
        if bucket["graph_bytes"] is None:
            continue
        if lender is not None and _lends(walk, lender, bucket):
            graphs[key_of(bucket)] = lender["graph_bytes"] - lender["kept_bytes"] + bucket["kept_bytes"]
        else:
            graphs[key_of(bucket)] = bucket["graph_bytes"]
            walk.append(bucket)
    return graphs


def two_captures_rule(buckets: Sequence[Bucket], planned: Sequence[Bucket]) -> int:
    """What every planned graph keeps, in whole segments, and the most that one needs beyond that."""
    graphs = lent_graphs(buckets)
    kept = {key_of(bucket): bucket["kept_bytes"] for bucket in buckets}
    total = sum(_slots(b) * -(-kept[key_of(b)] // SEGMENT) * SEGMENT for b in planned)
    return total + max((graphs[key_of(b)] - kept[key_of(b)] for b in planned), default=0)


def two_samples_rule(after_bytes: Sequence[int]) -> int:
    """first + (n - 1) x second, of the pool's growth at its first two captures."""
    if len(after_bytes) < 2:
        return sum(after_bytes)
    return after_bytes[0] + (len(after_bytes) - 1) * (after_bytes[1] - after_bytes[0])


def _lends(walk: Sequence[Bucket], lender: Bucket, bucket: Bucket) -> bool:
    if len(walk) < 2 or bucket["peak_bytes"] > lender["peak_bytes"]:
        return False
    return all(_scratch(captured) <= _scratch(lender) for captured in walk)


def _scratch(bucket: Bucket) -> int:
    return -(-(bucket["graph_bytes"] - bucket["kept_bytes"]) // SEGMENT)


def _slots(bucket: Bucket) -> int:
    return int(bucket.get("slots", 1))
