"""Sizes a PyTorch model's CUDA graphs for graphplan, and serves from the plan.

from graphplan_torch import Walk, capture, read_buckets, size

costs = size(nodes, read_buckets(document))     # a graphplan.costs document
session = capture("plan.json", nodes)           # the graphs that `graphplan plan` chose
logits = session.run("decode", {"ids": ids})
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from .buckets import Bucket, Shape, read_buckets

if TYPE_CHECKING:
    from .session import Session, capture
    from .sizing import size
    from .walks import Walk

__version__ = "0.1.0"
__all__ = ["Bucket", "Session", "Shape", "Walk", "capture", "read_buckets", "size"]

# what needs torch is loaded on first use: documents can be read without it
_HOMES = {"Session": "session", "capture": "session", "size": "sizing", "Walk": "walks"}


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(f".{_HOMES[name]}", __name__), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
