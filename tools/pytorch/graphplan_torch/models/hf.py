"""Hugging Face causal language models with random weights: a decode and a prefill walk."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
from transformers import AutoConfig, AutoModelForCausalLM, PreTrainedConfig
from transformers.cache_utils import Cache, CacheLayerMixin

from ..buckets import Bucket, Shape
from ..walks import Walk

NODE = "llm"


def nodes(
    config: str | Path,
    buckets: Sequence[Bucket],
    *,
    max_tokens: int | None = None,
    dtype: torch.dtype = torch.bfloat16,
    device: torch.device | str = "cuda",
) -> dict[str, dict[str, Walk]]:
    """The node of a model, large enough for every bucket.

    `config` is a folder or a JSON file with a model's configuration, or a name that transformers knows.
    `max_tokens` is the cache's length for each row; default: the longest prefill and 256 more.
    """
    rows = max(bucket.shape.bs for bucket in buckets)
    longest = max(bucket.shape.tokens // bucket.shape.bs for bucket in buckets)
    return {NODE: CausalLM(read_config(config), rows, max_tokens or longest + 256, dtype, device).walks()}


def read_config(source: str | Path) -> PreTrainedConfig:
    path = Path(source)
    if path.suffix == ".json":
        return AutoConfig.from_pretrained(path.parent, _configuration_file=path.name)
    return AutoConfig.from_pretrained(source)


class RowsLayer(CacheLayerMixin):
    """One layer's keys and values for a fixed number of rows; a batch uses the first of them.

    Where a token's keys go is data, not state: `positions` holds each new token's place in its row.
    """

    is_compileable = True
    is_sliding = False

    def __init__(self, rows: int, max_tokens: int, positions: torch.Tensor) -> None:
        super().__init__()
        self.max_rows, self.max_tokens, self.positions = rows, max_tokens, positions

    def lazy_initialization(self, key_states: torch.Tensor, value_states: torch.Tensor) -> None:
        def empty(like: torch.Tensor) -> torch.Tensor:
            return like.new_zeros(self.max_rows, like.shape[1], self.max_tokens, like.shape[3])

        self.keys, self.values = empty(key_states), empty(value_states)
        self.is_initialized = True

    def update(
        self, key_states: torch.Tensor, value_states: torch.Tensor, *args: Any, **kwargs: Any
    ) -> tuple[torch.Tensor, torch.Tensor]:
        assert self.keys is not None and self.values is not None
        bs, _, new, _ = key_states.shape
        rows = torch.arange(bs, device=key_states.device)[:, None]
        places = self.positions[: bs * new].view(bs, new)
        self.keys[rows, :, places] = key_states.transpose(1, 2)
        self.values[rows, :, places] = value_states.transpose(1, 2)
        return self.keys[:bs], self.values[:bs]

    def get_mask_sizes(self, query_length: int) -> tuple[int, int]:
        return self.max_tokens, 0

    def get_seq_length(self) -> int:
        return 0

    def get_max_length(self) -> int:
        return self.max_tokens


class CausalLM:
    """A causal language model whose rows keep their keys and values at fixed addresses."""

    def __init__(
        self,
        config: PreTrainedConfig,
        rows: int,
        max_tokens: int,
        dtype: torch.dtype,
        device: torch.device | str,
    ) -> None:
        with torch.device(device):
            self._model = AutoModelForCausalLM.from_config(config, dtype=dtype).eval()
        text = config.get_text_config()
        self._vocabulary, self._device = text.vocab_size, torch.device(device)
        # the newest positions, where every layer finds them
        self._positions = torch.zeros(rows * max_tokens, dtype=torch.long, device=device)
        count = text.num_hidden_layers
        layers = [RowsLayer(rows, max_tokens, self._positions) for _ in range(count)]
        like = _key_of_one_token(text, dtype, device)
        for layer in layers:  # now, not in a forward: graphs need fixed addresses
            layer.lazy_initialization(like, like)
        self._cache = Cache(layers=layers)
        self._slots = torch.arange(max_tokens, device=device)

    def walks(self) -> dict[str, Walk]:
        return {
            "decode": Walk(self.decode, self._decode_inputs),
            "prefill": Walk(self.prefill, self._prefill_inputs),
        }

    def decode(self, ids: torch.Tensor, positions: torch.Tensor) -> torch.Tensor:
        """Next-token logits [bs, vocabulary] of one token for each row; `positions` is its place."""
        hidden = self._hidden(ids[:, None], positions[:, None])
        return self._model.get_output_embeddings()(hidden[:, -1])

    def prefill(self, ids: torch.Tensor, positions: torch.Tensor, last: torch.Tensor) -> torch.Tensor:
        """Next-token logits [bs, vocabulary] of prompts [bs, length], of the token that `last` names."""
        hidden = self._hidden(ids, positions)
        rows = torch.arange(len(ids), device=ids.device)
        return self._model.get_output_embeddings()(hidden[rows, last])

    def _hidden(self, ids: torch.Tensor, positions: torch.Tensor) -> torch.Tensor:
        self._positions[: positions.numel()].copy_(positions.reshape(-1))
        mask = self._slots <= positions[:, None, :, None]  # [bs, 1, new, max_tokens]
        return self._model.get_decoder()(
            input_ids=ids,
            position_ids=positions,
            attention_mask=mask,
            past_key_values=self._cache,
            use_cache=True,
        ).last_hidden_state

    def _decode_inputs(self, shape: Shape) -> dict[str, torch.Tensor]:
        if shape.tokens != shape.bs:
            raise ValueError(f"{shape}: a decode step has one token for each row")
        return {"ids": self._ids(shape.bs), "positions": torch.zeros_like(self._ids(shape.bs))}

    def _prefill_inputs(self, shape: Shape) -> dict[str, torch.Tensor]:
        length, rest = divmod(shape.tokens, shape.bs)
        if rest:
            raise ValueError(f"{shape}: prefill rows are equally long; give a multiple of {shape.bs} tokens")
        positions = torch.arange(length, device=self._device).expand(shape.bs, length).contiguous()
        last = torch.full((shape.bs,), length - 1, device=self._device)
        return {"ids": self._ids(shape.bs, length), "positions": positions, "last": last}

    def _ids(self, *size: int) -> torch.Tensor:
        return torch.randint(self._vocabulary, size, device=self._device)


def _key_of_one_token(
    config: PreTrainedConfig, dtype: torch.dtype, device: torch.device | str
) -> torch.Tensor:
    heads = config.num_attention_heads
    head_dim = getattr(config, "head_dim", None) or config.hidden_size // heads
    kv_heads = getattr(config, "num_key_value_heads", None) or heads
    return torch.empty(1, kv_heads, 1, head_dim, dtype=dtype, device=device)
