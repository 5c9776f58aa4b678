#!/usr/bin/env python3
"""How long whole runs of the program take, and their peak memory.

usage: bench_cli.py PROGRAM [--runs N] [--only TEXT] [--json]

Medians of whole processes. Inputs are made here or come with the repository; outputs go to a folder that
is thrown away. Prints a table, or with --json one line of JSON a case.
"""
import argparse
import gzip
import json
import os
import pathlib
import random
import statistics
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
RECORDING = ROOT / "tests/data/recordings/llama_desc.json.gz"
LLAMA = ROOT / "samples/llama-3.1-8b"
MIB = 1 << 20
COUNTS = (10_000, 100_000)


def many_buckets(path, buckets, pools=8):
    """Costs with `buckets` buckets in all, whose sizes have nothing to do with their order."""
    source = random.Random(1)
    document = {"schema": "graphplan.costs", "schema_version": "1.0", "free_bytes_before": 1 << 50, "pools": []}
    for pool in range(pools):
        sizes = range(buckets // pools, 0, -1)
        document["pools"].append({"name": f"pool{pool}", "buckets": [
            {"walk": "decode", "bs": bs, "tokens": bs, "peak_bytes": source.randrange(64 * MIB),
             "graph_bytes": (kept := source.randrange(MIB)) + source.randrange(256 * MIB), "kept_bytes": kept,
             "slots": source.choice([1, 1, 2]), "outside_bytes": source.randrange(MIB)} for bs in sizes]})
    path.write_text(json.dumps(document))


def from_recording(path):
    """Costs with the captures' events of the llama recording, two slots a bucket."""
    trace = json.loads(gzip.decompress(RECORDING.read_bytes()))
    buckets, traces = [], []
    for capture in trace["captures"]:
        events, live = [], {}
        for event in capture["events"]:
            if event[0] == "a":
                live[event[1]] = event[2]
                events.append(event)
            elif live.pop(event[1], None) is not None:  # a free of an earlier capture's tensor stays out
                events.append(event)
        kept = sum(live.values())
        buckets.append({"walk": capture["walk"], "key": capture["key"], "bs": capture["bs"],
                        "tokens": capture["tokens"], "peak_bytes": capture["eager_peak_bytes"] or 0,
                        "graph_bytes": kept + 64 * MIB, "kept_bytes": kept, "slots": 2, "outside_bytes": 901120,
                        "nodes": capture["nodes"], "trace": len(traces)})
        traces.append({"events": events})
    path.write_text(json.dumps({"schema": "graphplan.costs", "schema_version": "1.0", "free_bytes_before": 1 << 37,
                                "allocator": trace["allocator"], "pools": [{"name": "llm", "buckets": buckets}],
                                "traces": traces}))


def make_inputs(folder):
    """In a process of its own: a child's peak memory counts from its parent's size."""
    child = os.fork()
    if child == 0:
        for count in COUNTS:
            many_buckets(folder / f"costs{count}.json", count)
        from_recording(folder / "llama.json")
        os._exit(0)
    if os.waitpid(child, 0)[1] != 0:
        sys.exit("the inputs could not be made")


def cases():
    for count in COUNTS:
        yield f"plan {count} buckets", ["plan", f"costs{count}.json", "--memory-model", "segments", "-o", "plan.json"]
    yield "plan exact llama 35 x 2", ["plan", "llama.json", "--memory-model", "exact", "-o", "plan.json"]
    yield "simulate llama_desc", ["simulate", str(RECORDING), "-o", "simulation.json"]
    yield "size llama-3.1-8b on sim", ["size", str(LLAMA / "model.json"), "-b", str(LLAMA / "buckets.vllm.json"),
                                       "--backend", "sim", "-o", "costs.json"]


def run(graphplan, arguments):
    """Seconds, processor seconds and peak resident KiB of one process."""
    start = time.perf_counter()
    process = os.posix_spawn(graphplan, [graphplan, *arguments, "-q", "--force"], os.environ)
    _, status, usage = os.wait4(process, 0)
    seconds = time.perf_counter() - start
    if status != 0:
        sys.exit(f"{' '.join(arguments)}: status {os.waitstatus_to_exitcode(status)}")
    return seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--only", default="")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    graphplan = os.path.abspath(options.program)
    with tempfile.TemporaryDirectory() as name:
        os.chdir(name)
        make_inputs(pathlib.Path(name))
        for label, arguments in cases():
            if options.only not in label:
                continue
            samples = [run(graphplan, arguments) for _ in range(options.runs)]
            seconds, processor = (statistics.median(sample[i] for sample in samples) for i in (0, 1))
            peak = max(sample[2] for sample in samples) / 1024
            if options.json:
                print(json.dumps({"case": label, "seconds": round(seconds, 4), "cpu_seconds": round(processor, 4),
                                  "peak_mib": round(peak, 1)}))
            else:
                print(f"{label:28} {seconds:8.3f} s {processor:8.3f} s of processor {peak:8.1f} MiB")
        os.chdir("/")


if __name__ == "__main__":
    main()
