"""Two nodes of one process, a pool each: the language model, and the vocoder that gives it a voice."""

from __future__ import annotations

from collections.abc import Sequence

import qwen3
import vocoder

from graphplan_torch import Bucket, Walk


def nodes(buckets: Sequence[Bucket], device: str = "cuda") -> dict[str, dict[str, Walk]]:
    return {**qwen3.nodes(buckets, device), **vocoder.nodes(buckets, device)}
