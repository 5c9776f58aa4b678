"""A mixture of experts in Mixtral's manner, smaller, with random weights: decode."""

from __future__ import annotations

from collections.abc import Sequence

import torch
import torch.nn.functional as F
from torch import Tensor, nn
from transformer import Dims, on_device

from graphplan_torch import Bucket, Walk

DIMS = Dims(
    hidden=1024,
    layers=8,
    heads=16,
    kv_heads=4,
    head_dim=64,
    intermediate=3584,
    vocab=32000,
    experts=8,
    top_k=2,
)


class Experts(nn.Module):
    """Every expert runs every token, so that shapes don't depend on the router: a graph has one shape."""

    def __init__(self, dims: Dims) -> None:
        super().__init__()
        self.top_k = dims.top_k
        self.router = nn.Linear(dims.hidden, dims.experts, bias=False)
        self.up = nn.Parameter(torch.zeros(dims.experts, dims.hidden, 2 * dims.intermediate))
        self.down = nn.Parameter(torch.zeros(dims.experts, dims.intermediate, dims.hidden))

    def forward(self, x: Tensor) -> Tensor:
        flat = x.flatten(0, 1)
        chosen = self.router(flat).float().softmax(-1).topk(self.top_k, dim=-1)
        weights = torch.zeros(len(flat), len(self.up), device=x.device)
        weights.scatter_(1, chosen.indices, chosen.values / chosen.values.sum(-1, keepdim=True))
        gate, up = torch.matmul(flat, self.up).chunk(2, dim=-1)  # [experts, tokens, intermediate]
        each = torch.matmul(F.silu(gate) * up, self.down)
        return (each * weights.t()[:, :, None].to(x.dtype)).sum(0).view_as(x)


def nodes(buckets: Sequence[Bucket], device: str = "cuda", dims: Dims = DIMS) -> dict[str, dict[str, Walk]]:
    model = on_device(dims, Experts, device)
    return {"llm": {"decode": Walk(model.decode, model.decode_inputs, pad={"rows": dims.rows})}}
