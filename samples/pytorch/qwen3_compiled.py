"""Four layers of the model of `qwen3.py`, compiled: a shape compiles in its warm-up, never in a capture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import qwen3
import torch

from graphplan_torch import Bucket, Walk


def nodes(buckets: Sequence[Bucket], device: str = "cuda") -> dict[str, dict[str, Walk]]:
    walks = qwen3.nodes(buckets, device, replace(qwen3.DIMS, layers=4))["llm"]
    decode = walks["decode"]
    return {"llm": {"decode": replace(decode, forward=torch.compile(decode.forward, dynamic=False))}}
