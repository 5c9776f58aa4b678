"""A language model of Qwen3-0.6B's dimensions with random weights: decode and prefill."""

from __future__ import annotations

from collections.abc import Sequence

from transformer import Dims, on_device

from graphplan_torch import Bucket, Walk

DIMS = Dims(
    hidden=1024, layers=28, heads=16, kv_heads=8, head_dim=128, intermediate=3072, vocab=151936, qk_norm=True
)


def nodes(buckets: Sequence[Bucket], device: str = "cuda", dims: Dims = DIMS) -> dict[str, dict[str, Walk]]:
    model = on_device(dims, device=device)
    pad = {"rows": dims.rows}  # padding rows write to the cache's spare row
    return {
        "llm": {
            "decode": Walk(model.decode, model.decode_inputs, pad=pad),
            "prefill": Walk(model.prefill, model.prefill_inputs, pad=pad),
        }
    }
