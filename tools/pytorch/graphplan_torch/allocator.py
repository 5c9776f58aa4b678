"""The options that torch's caching allocator runs with, as graphplan models them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from .errors import AllocatorError

#: options of PYTORCH_CUDA_ALLOC_CONF that don't move a block of a pool
_HARMLESS = {
    "backend",  # checked by itself: see `check_backend`
    "garbage_collection_threshold",  # frees cached segments of the default pool only
    "per_process_memory_fraction",
    "pinned_num_register_threads",
    "pinned_reserve_segment_size_mb",
    "pinned_use_background_threads",
    "pinned_use_cuda_host_register",
    "release_lock_on_cudamalloc",
}
_MODELLED = {"expandable_segments", "max_split_size_mb", "roundup_power2_divisions"}


def options_in_force(settings: Mapping[str, Any]) -> dict[str, Any]:
    """`allocator.options` of a costs document from a snapshot's `allocator_settings`.

    What torch made of the settings counts, not what the environment asked for. Raises AllocatorError for
    an option that would move blocks in a way that graphplan does not model.
    """
    for name in _named_options(str(settings.get("PYTORCH_CUDA_ALLOC_CONF") or "")):
        if name not in _HARMLESS | _MODELLED:
            raise AllocatorError(
                f"PYTORCH_CUDA_ALLOC_CONF sets {name}, which graphplan does not model; unset it, "
                f"or use only {', '.join(sorted(_MODELLED))}"
            )
    options: dict[str, Any] = {}
    if settings.get("expandable_segments"):
        options["expandable_segments"] = True
    split = int(settings.get("max_split_size") or 0)
    if 0 < split < 2**40:
        options["max_split_size_mb"] = split // 2**20
    divisions = _divisions(settings.get("roundup_power2_divisions") or {})
    if divisions > 1:
        options["roundup_power2_divisions"] = divisions
    return options


def check_backend(name: str) -> None:
    if name != "native":
        raise AllocatorError(
            f"torch allocates through {name!r}, whose pools graphplan does not model; "
            "remove backend: from PYTORCH_CUDA_ALLOC_CONF"
        )


def describe(options: Mapping[str, Any]) -> str:
    """The options as the environment spells them; "default" for none."""
    return ",".join(f"{name}:{value}" for name, value in sorted(options.items())) or "default"


def _named_options(conf: str) -> list[str]:
    """Option names in "a:1,b:[256:1,>:2]": lists are left out, since their colons name no option."""
    return re.findall(r"([A-Za-z_]\w*)\s*:", re.sub(r"\[[^\]]*\]", "", conf))


def _divisions(by_size: Mapping[str, int]) -> int:
    values = {int(value) for value in by_size.values()}
    if len(values) > 1:
        raise AllocatorError(
            "roundup_power2_divisions differs by size, which graphplan does not model; give one number"
        )
    return values.pop() if values else 0
