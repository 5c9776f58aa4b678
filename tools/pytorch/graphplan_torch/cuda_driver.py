"""The few calls of libcuda and NVML that torch has no words for, through ctypes."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable
from dataclasses import dataclass

# what torch instantiates its graphs with: AUTO_FREE_ON_LAUNCH | USE_NODE_PRIORITY
_INSTANTIATE_FLAGS = 1 | 8
_NVML_SUCCESS = 0
_NVML_MORE = 7  # NVML_ERROR_INSUFFICIENT_SIZE
_NOT_AVAILABLE = 2**64 - 1


class Driver:
    """Graphs by their raw handle, as `torch.cuda.CUDAGraph.raw_cuda_graph` gives it."""

    def __init__(self) -> None:
        self._cuda = ctypes.CDLL("libcuda.so.1")

    def nodes(self, raw_graph: int) -> int:
        count = ctypes.c_size_t(0)
        status = self._cuda.cuGraphGetNodes(ctypes.c_void_p(raw_graph), None, ctypes.byref(count))
        if status != 0:
            raise RuntimeError(f"cuGraphGetNodes failed with CUresult {status}")
        return count.value

    def instantiate(self, raw_graph: int) -> ctypes.c_void_p | None:
        """A new executable of a graph; None where the driver refuses one."""
        executable = ctypes.c_void_p()
        status = self._cuda.cuGraphInstantiateWithFlags(
            ctypes.byref(executable), ctypes.c_void_p(raw_graph), ctypes.c_ulonglong(_INSTANTIATE_FLAGS)
        )
        return executable if status == 0 else None

    def destroy(self, executable: ctypes.c_void_p) -> None:
        self._cuda.cuGraphExecDestroy(executable)


class _ProcessInfo(ctypes.Structure):
    _fields_ = [
        ("pid", ctypes.c_uint),
        ("used", ctypes.c_ulonglong),
        ("gpu_instance", ctypes.c_uint),
        ("compute_instance", ctypes.c_uint),
    ]


class Nvml:
    """Used memory of this process on one device, which neighbours don't move."""

    def __init__(self, uuid: str) -> None:
        self._nvml = ctypes.CDLL("libnvidia-ml.so.1")
        self._check(self._nvml.nvmlInit_v2(), "nvmlInit")
        self._device = ctypes.c_void_p()
        status = self._nvml.nvmlDeviceGetHandleByUUID(uuid.encode(), ctypes.byref(self._device))
        self._check(status, "nvmlDeviceGetHandleByUUID")

    def driver_version(self) -> str:
        text = ctypes.create_string_buffer(96)
        self._check(self._nvml.nvmlSystemGetDriverVersion(text, 96), "nvmlSystemGetDriverVersion")
        return text.value.decode()

    def used(self) -> int | None:
        """None where NVML doesn't say, as in a container that hides process ids."""
        for process in self._processes():
            if process.pid == os.getpid() and process.used != _NOT_AVAILABLE:
                return int(process.used)
        return None

    def _processes(self) -> list[_ProcessInfo]:
        room = 16
        while room <= 4096:
            count, infos = ctypes.c_uint(room), (_ProcessInfo * room)()
            status = self._nvml.nvmlDeviceGetComputeRunningProcesses_v3(
                self._device, ctypes.byref(count), infos
            )
            if status == _NVML_SUCCESS:
                return list(infos[: count.value])
            if status != _NVML_MORE:
                return []
            room *= 4
        return []

    @staticmethod
    def _check(status: int, what: str) -> None:
        if status != _NVML_SUCCESS:
            raise OSError(f"{what} failed with nvmlReturn {status}")


@dataclass(frozen=True)
class MemoryReader:
    """Memory that this process uses, or, where nobody says, that the whole device does."""

    used: Callable[[], int]
    source: str  # "nvml" or "free memory"

    @property
    def own(self) -> bool:
        return self.source == "nvml"


def memory_reader(nvml: Nvml | None, device_used: Callable[[], int], at_least: int) -> MemoryReader:
    """NVML where its figure is this process's: present, and no less than torch holds (`at_least`)."""
    own = nvml.used() if nvml is not None else None
    if nvml is None or own is None or own < at_least:
        return MemoryReader(device_used, "free memory")

    def used() -> int:
        now = nvml.used()
        if now is None:
            raise RuntimeError("NVML stopped listing this process in the middle of a measurement")
        return now

    return MemoryReader(used, "nvml")
