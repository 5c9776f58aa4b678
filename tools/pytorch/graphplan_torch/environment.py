"""Which device, driver and libraries this process runs on, and how it reads its memory."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import torch

from . import __version__
from .allocator import check_backend, describe, options_in_force
from .cuda_driver import MemoryReader, Nvml, memory_reader


@dataclass(frozen=True)
class Environment:
    """What a document's provenance says, and the readers behind it."""

    device: torch.device
    provenance: Mapping[str, Any]
    allocator_options: Mapping[str, Any]
    reader: MemoryReader


def inspect(device: torch.device | str | int | None = None) -> Environment:
    """Raises AllocatorError where torch's allocator runs in a way that graphplan does not model."""
    chosen = torch.device("cuda" if device is None else device)
    index = torch.cuda.current_device() if chosen.index is None else chosen.index
    chosen = torch.device("cuda", index)
    torch.empty(1, device=chosen)  # the context exists before anything is read
    check_backend(torch.cuda.memory.get_allocator_backend())
    options = options_in_force(torch.cuda.memory._snapshot()["allocator_settings"])
    nvml = _nvml(chosen)
    reader = memory_reader(nvml, partial(_device_used, chosen), torch.cuda.memory_reserved(chosen))
    return Environment(chosen, _provenance(chosen, options, nvml), options, reader)


def _provenance(device: torch.device, options: Mapping[str, Any], nvml: Nvml | None) -> dict[str, Any]:
    libraries = {"allocator": describe(options), "cuda": str(torch.version.cuda)}
    if torch.backends.cudnn.is_available():
        libraries["cudnn"] = str(torch.backends.cudnn.version())
    properties = torch.cuda.get_device_properties(device)
    found = {
        "tool_version": f"graphplan-torch {__version__}",
        "backend": "cuda",
        "device": {"name": properties.name, "total_bytes": properties.total_memory},
        "driver": nvml.driver_version() if nvml is not None else "",
        "framework": f"torch {torch.__version__}",
        "libraries": libraries,
        "time": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
    }
    return {name: value for name, value in found.items() if value}


def _nvml(device: torch.device) -> Nvml | None:
    try:
        return Nvml(f"GPU-{torch.cuda.get_device_properties(device).uuid}")
    except OSError:
        return None


def _device_used(device: torch.device) -> int:
    free, total = torch.cuda.mem_get_info(device)
    return total - free


class Meter:
    """Device memory of this process, told apart: torch's allocator, and everything else."""

    def __init__(self, environment: Environment) -> None:
        self._device = environment.device
        self._used = environment.reader.used

    def used(self) -> int:
        return self._used()

    def reserved(self) -> int:
        """What torch's allocator holds once its empty segments have gone back."""
        torch.cuda.synchronize(self._device)
        torch.cuda.empty_cache()
        return torch.cuda.memory_reserved(self._device)

    def outside(self) -> int:
        """What lies outside torch's allocator: modules, streams, executables."""
        reserved = self.reserved()
        return self._used() - reserved

    def free(self) -> int:
        return torch.cuda.mem_get_info(self._device)[0]
