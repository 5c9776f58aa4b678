"""Records random allocations of captures in one pool, with what torch's allocator took for them.

    python tools/pytorch/measure/record_random.py --seed 7 -o OUT/random7.json.gz

The allocator's options are those of PYTORCH_CUDA_ALLOC_CONF. The document is a graphplan.trace that
`graphplan simulate` compares with the allocator's rules, capture by capture.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import sys
from pathlib import Path
from typing import Any

import torch

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from graphplan_torch.allocator import options_in_force  # noqa: E402

KIB, MIB = 2**10, 2**20
#: where a rule changes: sizes lie around each, and anywhere between
EDGES = (512, 64 * KIB, MIB, 2 * MIB, 10 * MIB, 20 * MIB, 21 * MIB, 30 * MIB, 40 * MIB, 64 * MIB)
CAPTURES = 10
EVENTS = 200
MOST_LIVE_BYTES = 3 * 2**30

Event = list[Any]


def random_bytes(source: random.Random) -> int:
    """One in two near an edge, the rest of any magnitude up to 90 MiB."""
    if source.random() < 0.5:
        return max(1, source.choice(EDGES) + source.choice((-1024, -512, -1, 0, 1, 512, 1024)))
    return int(2 ** source.uniform(0, 26.5))


class Recorder:
    """Allocates and frees at random; tensors may outlive the capture that made them."""

    def __init__(self, seed: int) -> None:
        self._source = random.Random(seed)
        self._live: dict[int, torch.Tensor] = {}
        self._made = 0

    def events(self) -> list[Event]:
        """Runs one capture's worth of them."""
        return [self._next() for _ in range(EVENTS)]

    def _next(self) -> Event:
        live = sum(tensor.numel() for tensor in self._live.values())
        if self._live and (live > MOST_LIVE_BYTES or self._source.random() < 0.47):
            made = self._source.choice(list(self._live))
            del self._live[made]
            return ["f", made]
        size = random_bytes(self._source)
        made = self._made
        self._made += 1
        self._live[made] = torch.empty(size, dtype=torch.uint8, device="cuda")
        return ["a", made, size]


def new_segments(before: set[int], pool: tuple[int, int]) -> list[list[int]]:
    """[address, bytes] of the segments that the driver gave since `before`, in order."""
    snapshot = torch.cuda.memory_snapshot(pool)
    ours = {segment["address"] for segment in snapshot}
    history = torch.cuda.memory._snapshot()["device_traces"][torch.cuda.current_device()]
    return [
        [entry["addr"], entry["size"]]
        for entry in history
        if entry["action"] == "segment_alloc" and entry["addr"] in ours - before
    ]


def capture(recorder: Recorder, pool: tuple[int, int], expandable: bool) -> dict[str, Any]:
    torch.cuda.memory._record_memory_history(max_entries=100_000)
    before = {segment["address"] for segment in torch.cuda.memory_snapshot(pool)}
    graph = torch.cuda.CUDAGraph()
    touched = torch.zeros(1, device="cuda")  # a graph of no nodes could not be instantiated
    with torch.cuda.graph(graph, pool=pool, capture_error_mode="thread_local"):
        events = recorder.events()
        touched.add_(1)
    captured: dict[str, Any] = {"events": events}
    if not expandable:
        captured["segments"] = new_segments(before, pool)
    segments = torch.cuda.memory_snapshot(pool)
    taken = sum(segment["total_size"] for segment in segments)
    captured["observed"] = {"pool_bytes_after": taken, "segments_after": len(segments)}
    captured["graph"] = graph
    torch.cuda.memory._record_memory_history(enabled=None)
    return captured


def record(seed: int) -> dict[str, Any]:
    torch.cuda.init()
    settings = torch.cuda.memory._snapshot()["allocator_settings"]
    options = options_in_force(settings)
    recorder, pool, graphs, captures = Recorder(seed), torch.cuda.graph_pool_handle(), [], []
    for number in range(CAPTURES):
        captured = capture(recorder, pool, bool(options.get("expandable_segments")))
        graphs.append(captured.pop("graph"))
        size = CAPTURES - number
        captures.append({"pool": "main", "walk": "random", "key": None, "bs": size, "tokens": size, "slot": 0,
                         "eager_peak_bytes": 0, "kept_bytes": 0, "nodes": 1, **captured})
    return {
        "schema": "graphplan.trace",
        "schema_version": "1.0",
        "source": {"framework": f"torch {torch.__version__}", "device": torch.cuda.get_device_name(),
                   "case": f"random{seed}"},
        "allocator": {"policy": "torch", "options": options},
        "captures": captures,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("-o", "--output", type=Path, required=True)
    arguments = parser.parse_args()
    text = json.dumps(record(arguments.seed)) + "\n"
    arguments.output.write_bytes(gzip.compress(text.encode(), mtime=0))


if __name__ == "__main__":
    main()
