"""Reads plans and bucket configurations, writes costs: JSON, `.json` or `.json.gz`."""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .buckets import Bucket, Shape
from .errors import DocumentError
from .events import Event
from .executables import Executable

_MAJOR = 1


@dataclass(frozen=True)
class Document:
    """A parsed document and the SHA-256 of its bytes as they lie on disk."""

    content: Mapping[str, Any]
    sha256: str


def read(path: str | Path, schema: str) -> Document:
    """Raises DocumentError naming the file, what was found and what was expected."""
    try:
        raw = Path(path).read_bytes()
        text = gzip.decompress(raw) if raw[:2] == b"\x1f\x8b" else raw
        content = json.loads(text)
    except (OSError, EOFError, ValueError) as error:
        raise DocumentError(f"{path}: could not be read: {error}") from error
    check_schema(content, schema, str(path))
    return Document(content, hashlib.sha256(raw).hexdigest())


def check_schema(content: object, schema: str, name: str = "document") -> None:
    found = content.get("schema") if isinstance(content, dict) else None
    if not isinstance(content, Mapping) or found != schema:
        raise DocumentError(f"{name}: /schema: found {found!r}, expected {schema!r}")
    version = str(content.get("schema_version", ""))
    major = version.split(".")[0]
    if major != str(_MAJOR):
        raise DocumentError(f"{name}: /schema_version: found {version!r}, this package reads {_MAJOR}.x")


def write(content: Mapping[str, Any], path: str | Path, force: bool = False) -> None:
    """Writes beside `path` and renames, so that nobody ever sees half a file."""
    path = Path(path)
    if path.exists() and not force:
        raise DocumentError(f"{path}: exists already; give --force to overwrite it")
    raw = to_bytes(content)
    if path.suffix == ".gz":
        raw = gzip.compress(raw, mtime=0)
    try:
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=path.name)
    except OSError as error:
        raise DocumentError(f"{path}: could not be written: {error}") from error
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(raw)
        os.chmod(temporary, 0o644)
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise


def to_bytes(content: Mapping[str, Any]) -> bytes:
    """The same values give the same bytes."""
    return (json.dumps(content, separators=(",", ":"), ensure_ascii=False) + "\n").encode()


@dataclass
class BucketCost:
    """What one bucket costs: an entry of `pools[].buckets`."""

    bucket: Bucket
    peak_bytes: int
    kept_bytes: int
    graph_bytes: int | None = None
    outside_bytes: int = 0
    nodes: int | None = None
    events: list[Event] | None = None
    failure: str | None = None  # "denied: …", "capture: …", "instantiate: …"

    def document(self, trace: int | None) -> dict[str, Any]:
        shape = self.bucket.shape
        tried = self.graph_bytes is not None or not (self.failure or "denied").startswith("denied")
        entry: dict[str, Any] = {
            "walk": shape.walk,
            "key": shape.key,
            "bs": shape.bs,
            "tokens": shape.tokens,
            "peak_bytes": self.peak_bytes,
            "graph_bytes": self.graph_bytes,
            "kept_bytes": self.kept_bytes,
            "slots": self.bucket.slots,
            "outside_bytes": self.outside_bytes,
            "sized_by": "capture" if tried else None,
            "failure": self.failure,
        }
        entry |= {} if self.nodes is None else {"nodes": self.nodes}
        return entry if trace is None else entry | {"trace": trace}


@dataclass
class Costs:
    """What `size` measured."""

    provenance: Mapping[str, Any]
    allocator_options: Mapping[str, Any]
    free_bytes_before: int
    free_bytes: int = 0
    one_off_bytes: int = 0
    pools: dict[str, list[BucketCost]] = field(default_factory=dict)
    walks: dict[tuple[str, str, str | None], Executable] = field(default_factory=dict)

    def document(self) -> dict[str, Any]:
        traces: list[dict[str, Any]] = []
        pools = [
            {"name": name, "buckets": [_entry(cost, traces) for cost in costs]}
            for name, costs in self.pools.items()
        ]
        walks = [
            {"pool": pool, "walk": walk, "key": key, "executable": executable.document()}
            for (pool, walk, key), executable in self.walks.items()
        ]
        return {
            "schema": "graphplan.costs",
            "schema_version": f"{_MAJOR}.0",
            "provenance": dict(self.provenance),
            "free_bytes": self.free_bytes,
            "free_bytes_before": self.free_bytes_before,
            "one_off_bytes": self.one_off_bytes,
            "allocator": {"policy": "torch", "options": dict(self.allocator_options)},
            "pools": pools,
            "walks": walks,
            "traces": traces,
        }


def _entry(cost: BucketCost, traces: list[dict[str, Any]]) -> dict[str, Any]:
    if cost.graph_bytes is None or cost.events is None:
        return cost.document(None)
    traces.append({"events": cost.events})
    return cost.document(len(traces) - 1)


@dataclass(frozen=True)
class PlannedPool:
    """One pool of a plan: its buckets in the order to capture in, and those that stay eager."""

    name: str
    captures: tuple[Bucket, ...]
    predicted_bytes: int
    outside_bytes: int
    eager: tuple[Bucket, ...] = ()


@dataclass(frozen=True)
class Plan:
    provenance: Mapping[str, Any]
    one_off_bytes: int
    pools: tuple[PlannedPool, ...]


def plan_of(content: Mapping[str, Any]) -> Plan:
    """The parts of a parsed `graphplan.plan` that capturing needs."""
    check_schema(content, "graphplan.plan", "plan")
    outputs = content.get("outputs")
    if outputs not in (None, "per_graph"):
        raise DocumentError(
            f"plan: /outputs: found {outputs!r}, but graphs captured here keep outputs of their own and would take "
            "more than it predicts; plan again with --outputs per_graph"
        )
    try:
        pools = tuple(_planned_pool(pool) for pool in content["pools"])
        one_off = content.get("budget", {}).get("one_off_bytes", 0)
    except (KeyError, TypeError) as error:
        raise DocumentError(f"plan: /pools: {error} is missing or of a wrong type") from error
    return Plan(content.get("provenance", {}), one_off, pools)


def _planned_pool(pool: Mapping[str, Any]) -> PlannedPool:
    captures = tuple(_planned_bucket(pool["name"], entry) for entry in pool["captures"])
    eager = tuple(_planned_bucket(pool["name"], entry) for entry in pool.get("eager", ()))
    return PlannedPool(pool["name"], captures, pool["predicted_bytes"], pool.get("outside_bytes", 0), eager)


def _planned_bucket(node: str, entry: Mapping[str, Any]) -> Bucket:
    if entry.get("region") is not None:
        raise DocumentError(f"plan: pool {node}: region {entry['region']!r} cannot be captured here")
    shape = Shape(entry["walk"], entry.get("key"), entry["bs"], entry["tokens"])
    return Bucket(node, shape, entry.get("slots", 1))


def differences(
    planned: Mapping[str, Any], here: Mapping[str, Any], names: Sequence[str] = ("driver", "framework")
) -> list[str]:
    """Where a plan's environment differs from this one, in words; what it doesn't say is no difference."""
    found = []
    pairs = [(name, planned.get(name), here.get(name)) for name in names]
    pairs.append(("device", planned.get("device", {}).get("name"), here.get("device", {}).get("name")))
    libraries = here.get("libraries", {})
    pairs += [(name, value, libraries.get(name)) for name, value in planned.get("libraries", {}).items()]
    for name, before, now in pairs:
        if before is not None and now is not None and before != now:
            found.append(f"{name}: the plan was made for {before}, this is {now}")
    return found
