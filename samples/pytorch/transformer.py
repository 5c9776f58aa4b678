"""Parts that the two language models of these samples share: a cache by rows, and attention over it."""

from __future__ import annotations

from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from graphplan_torch import Shape


@dataclass(frozen=True)
class Dims:
    hidden: int
    layers: int
    heads: int
    kv_heads: int
    head_dim: int
    intermediate: int
    vocab: int
    rows: int = 64  # requests that have a place in the cache
    max_tokens: int = 512
    experts: int = 0
    top_k: int = 0
    qk_norm: bool = False


def rope(x: Tensor, positions: Tensor) -> Tensor:
    """Rotates x [..., heads, head_dim] by its token's position."""
    half = x.shape[-1] // 2
    frequencies = 1e6 ** (-torch.arange(half, device=x.device, dtype=torch.float32) / half)
    angles = positions[..., None, None] * frequencies
    cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    left, right = x[..., :half], x[..., half:]
    return torch.cat((left * cos - right * sin, right * cos + left * sin), dim=-1)


class Attention(nn.Module):
    """Grouped-query attention. Keys and values live in a cache with one row more than there are
    requests: padding rows write there."""

    def __init__(self, dims: Dims) -> None:
        super().__init__()
        self.dims = dims
        self.qkv = nn.Linear(dims.hidden, (dims.heads + 2 * dims.kv_heads) * dims.head_dim, bias=False)
        self.out = nn.Linear(dims.heads * dims.head_dim, dims.hidden, bias=False)
        self.q_norm = nn.RMSNorm(dims.head_dim) if dims.qk_norm else nn.Identity()
        self.k_norm = nn.RMSNorm(dims.head_dim) if dims.qk_norm else nn.Identity()
        size = (dims.rows + 1, dims.max_tokens, dims.kv_heads, dims.head_dim)
        self.register_buffer("keys", torch.zeros(size), persistent=False)
        self.register_buffer("values", torch.zeros(size), persistent=False)

    def forward(self, x: Tensor, rows: Tensor, positions: Tensor) -> Tensor:
        """x [bs, new, hidden], rows [bs], positions [bs, new]."""
        dims = self.dims
        heads = self.qkv(x).unflatten(-1, (-1, dims.head_dim))
        q, k, v = heads.split((dims.heads, dims.kv_heads, dims.kv_heads), dim=-2)
        q, k = rope(self.q_norm(q), positions), rope(self.k_norm(k), positions)
        self.keys[rows[:, None], positions] = k
        self.values[rows[:, None], positions] = v
        return self.out(self._attend(q, k, v, rows, positions).transpose(1, 2).flatten(2))

    def _attend(self, q: Tensor, k: Tensor, v: Tensor, rows: Tensor, positions: Tensor) -> Tensor:
        mask = None
        if q.shape[1] == 1:  # a decode step looks back over its row
            k, v = self.keys[rows], self.values[rows]
            mask = torch.arange(self.dims.max_tokens, device=q.device) <= positions[:, :, None, None]
            mask = mask.transpose(1, 2)
        q, k, v = q.transpose(1, 2), k.transpose(1, 2), v.transpose(1, 2)
        return F.scaled_dot_product_attention(q, k, v, mask, is_causal=mask is None, enable_gqa=True)


class Mlp(nn.Module):
    def __init__(self, dims: Dims) -> None:
        super().__init__()
        self.up = nn.Linear(dims.hidden, 2 * dims.intermediate, bias=False)
        self.down = nn.Linear(dims.intermediate, dims.hidden, bias=False)

    def forward(self, x: Tensor) -> Tensor:
        gate, up = self.up(x).chunk(2, dim=-1)
        return self.down(F.silu(gate) * up)


class Block(nn.Module):
    def __init__(self, dims: Dims, mlp: nn.Module) -> None:
        super().__init__()
        self.attention_norm, self.attention = nn.RMSNorm(dims.hidden), Attention(dims)
        self.mlp_norm, self.mlp = nn.RMSNorm(dims.hidden), mlp

    def forward(self, x: Tensor, rows: Tensor, positions: Tensor) -> Tensor:
        x = x + self.attention(self.attention_norm(x), rows, positions)
        return x + self.mlp(self.mlp_norm(x))


class LanguageModel(nn.Module):
    """Embedding, blocks, logits of each row's last token and the token that is the likeliest."""

    def __init__(self, dims: Dims, mlp: type[nn.Module] = Mlp) -> None:
        super().__init__()
        self.dims = dims
        self.embedding = nn.Embedding(dims.vocab, dims.hidden)
        self.blocks = nn.ModuleList(Block(dims, mlp(dims)) for _ in range(dims.layers))
        self.norm = nn.RMSNorm(dims.hidden)

    def decode(self, ids: Tensor, rows: Tensor, positions: Tensor) -> dict[str, Tensor]:
        """One token for each row: ids, rows and positions [bs]."""
        return self._logits(self._run(ids[:, None], rows, positions[:, None])[:, -1])

    def prefill(self, ids: Tensor, rows: Tensor, last: Tensor) -> dict[str, Tensor]:
        """Prompts [bs, length] from position 0 on; `last` [bs] is where each one really ends."""
        positions = torch.arange(ids.shape[1], device=ids.device).expand_as(ids)
        x = self._run(ids, rows, positions)
        return self._logits(x[torch.arange(len(ids), device=ids.device), last])

    def _run(self, ids: Tensor, rows: Tensor, positions: Tensor) -> Tensor:
        x = self.embedding(ids)
        for block in self.blocks:
            x = block(x, rows, positions)
        return x

    def _logits(self, x: Tensor) -> dict[str, Tensor]:
        logits = F.linear(self.norm(x), self.embedding.weight).float()
        return {"logits": logits, "next": logits.argmax(-1)}

    def decode_inputs(self, shape: Shape) -> dict[str, Tensor]:
        device = self.embedding.weight.device
        ids = torch.randint(self.dims.vocab, (shape.bs,), device=device)
        rows = torch.arange(shape.bs, device=device)
        return {"ids": ids, "rows": rows, "positions": torch.full_like(rows, 7)}

    def prefill_inputs(self, shape: Shape) -> dict[str, Tensor]:
        device, length = self.embedding.weight.device, shape.tokens // shape.bs
        ids = torch.randint(self.dims.vocab, (shape.bs, length), device=device)
        rows = torch.arange(shape.bs, device=device)
        return {"ids": ids, "rows": rows, "last": torch.full_like(rows, length - 1)}


def on_device(dims: Dims, mlp: type[nn.Module] = Mlp, device: str = "cuda") -> LanguageModel:
    """A model with random weights, in bfloat16."""
    torch.manual_seed(1)
    with torch.device(device):
        model = LanguageModel(dims, mlp).to(torch.bfloat16).eval()
    for parameter in model.parameters():
        parameter.requires_grad_(False)
        if parameter.dim() > 1:
            parameter.normal_(std=0.02)
    return model
