#!/usr/bin/env python3
"""The program on a real GPU: twice the same, beside a neighbour, on a filled GPU, with a broken operator.

usage: program_test.py PROGRAM NEIGHBOUR BROKEN_MODULE_FOLDER
"""
import contextlib
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

FOLDER = pathlib.Path(__file__).resolve().parent
INPUTS = FOLDER / "inputs"
SAMPLES = FOLDER.parents[1] / "samples"
LLAMA = SAMPLES / "llama-3.1-8b"
MIB = 1 << 20
PROGRAM = NEIGHBOUR = BROKEN = ""


def run(*arguments, **environment):
    return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, timeout=300, check=False,
                          env={**os.environ, **environment})


def size(*arguments, model=LLAMA / "model.json", buckets=LLAMA / "buckets.vllm.json", **environment):
    return run("size", model, "-b", buckets, "-o", "-", *arguments, **environment)


def size_two_walks(**environment):
    return size("--isolate", "walk", model=INPUTS / "model.json", buckets=INPUTS / "buckets.json",
                LD_LIBRARY_PATH=f"{BROKEN}:{os.environ.get('LD_LIBRARY_PATH', '')}", **environment)


def planned(costs):
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        file.write(json.dumps(costs))
        file.flush()
        return json.loads(run("plan", file.name, "--free-mib", "3000", "--json").stdout)


@contextlib.contextmanager
def neighbour(*arguments):
    process = subprocess.Popen([NEIGHBOUR, *map(str, arguments)], stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout.readline() == "ready\n"
        yield
    finally:
        process.kill()
        process.communicate()


def own_figures(costs):
    """What no neighbour may move: all but the device's free memory."""
    return (costs["one_off_bytes"],
            [(walk["walk"], walk["executable"]["curve_bytes"]) for walk in costs["walks"]],
            [[bucket["graph_bytes"], bucket["peak_bytes"], bucket["kept_bytes"]] for pool in costs["pools"]
             for bucket in pool["buckets"]])


class ProgramTest(unittest.TestCase):
    def sized(self, done):
        self.assertEqual(done.returncode, 0, done.stderr.decode())
        return json.loads(done.stdout)

    def test_the_gpu_is_listed(self):
        backends = {backend["name"]: backend for backend in json.loads(run("devices", "--json").stdout)["backends"]}
        self.assertTrue(backends["cuda"]["available"])
        self.assertGreater(backends["cuda"]["devices"][0]["total_bytes"], 0)

    def test_a_gpu_without_room_for_a_context_is_listed(self):
        with neighbour("fill", 256):
            done = run("devices", "--json")
        self.assertEqual(done.returncode, 0, done.stderr.decode())
        backends = {backend["name"]: backend for backend in json.loads(done.stdout)["backends"]}
        self.assertTrue(backends["cuda"]["available"])

    def test_sizing_twice_gives_the_same_plan(self):
        first, second = (planned(self.sized(size())) for _ in range(2))
        for one, other in zip(first["pools"], second["pools"]):
            self.assertEqual(one["predicted_bytes"], other["predicted_bytes"])
            self.assertLessEqual(abs(one["outside_bytes"] - other["outside_bytes"]), 2 * MIB)
            self.assertEqual([c["bs"] for c in one["captures"]], [c["bs"] for c in other["captures"]])
            self.assertTrue(one["captures"])

    def verified(self, costs, *options, model):
        """The plan of costs, and what a process that captures it took."""
        with tempfile.TemporaryDirectory() as folder:
            plan = pathlib.Path(folder) / "plan.json"
            self.assertEqual(run("plan", costs, *options, "-o", plan).returncode, 0)
            done = run("verify", plan, SAMPLES / model / "model.json", "-b", SAMPLES / model / "buckets.json", "--json")
            self.assertIn(done.returncode, (0, 1), done.stderr.decode())
            return json.loads(plan.read_text()), json.loads(done.stdout)

    def test_any_part_of_a_plan_takes_what_it_predicts_in_another_process(self):
        # Convolutions are among its operators: their workspaces must be the same ones in each process.
        model, captured = "omni", set()
        with tempfile.NamedTemporaryFile("w", suffix=".json") as costs:
            costs.write(json.dumps(self.sized(size(model=SAMPLES / model / "model.json",
                                                   buckets=SAMPLES / model / "buckets.json"))))
            costs.flush()
            for options in ((), ("--free-mib", 800), ("--free-mib", 600), ("--free-mib", 600, "--outputs", "shared")):
                plan, taken = self.verified(costs.name, *options, model=model)
                self.assertEqual(taken["dropped"], [])
                for planned_pool, pool in zip(plan["pools"], taken["pools"]):
                    walks = {(c["walk"], c["key"]) for c in planned_pool["captures"]}
                    self.assertEqual(pool["error_bytes"], 0, (options, pool))
                    self.assertLessEqual(abs(pool["outside_error_bytes"]), 2 * MIB * len(walks), (options, pool))
                captured.add(sum(pool["captured"] for pool in taken["pools"]))
        self.assertGreaterEqual(len(captured), 3)

    def test_a_neighbour_moves_no_figure_of_this_process(self):
        alone = self.sized(size())
        with neighbour("churn", 50):
            beside = self.sized(size())
        self.assertEqual(own_figures(alone), own_figures(beside))

    def test_a_neighbour_is_named_where_only_free_memory_is_read(self):
        with neighbour("churn", 50):
            done = size("--process-memory", "off")
        self.sized(done)
        self.assertRegex(done.stderr.decode(), r"other processes moved memory .*\d+ counts spoiled")

    def test_a_filled_gpu_is_a_clear_error(self):
        with neighbour("fill", 4096):
            done = size()
        self.assertEqual(done.returncode, 4, done.stderr.decode())
        error = json.loads(done.stdout)
        self.assertEqual(error["code"], "out_of_memory")
        self.assertRegex(error["message"], r"free")
        self.assertEqual(self.sized(size())["schema"], "graphplan.costs")

    def test_a_filled_gpu_names_the_bucket_that_does_not_fit(self):
        model, buckets = INPUTS / "model.json", INPUTS / "large_buckets.json"
        with neighbour("fill", 2048):
            done = size(model=model, buckets=buckets)
        self.assertEqual(done.returncode, 4, done.stderr.decode())
        message = json.loads(done.stdout)["message"]
        self.assertRegex(message, r"bs=262144")
        self.assertRegex(message, r"free")

    def test_a_capture_that_breaks_the_context_costs_only_its_walk(self):
        costs = self.sized(size_two_walks(GRAPHPLAN_BREAK="capture"))
        for bucket in costs["pools"][0]["buckets"]:
            if bucket["walk"] == "sound":
                self.assertGreater(bucket["graph_bytes"], 0)
            else:
                self.assertIsNone(bucket["graph_bytes"])
                self.assertIn("illegal memory access", bucket["failure"])
                self.assertGreater(bucket["peak_bytes"], 0)

    def test_a_walk_that_breaks_its_context_eagerly_is_left_out_loudly(self):
        done = size_two_walks(GRAPHPLAN_BREAK="eager")
        self.assertEqual(done.returncode, 1, done.stderr.decode())
        self.assertIn(b"broken cannot even run eagerly", done.stderr)
        walks = {bucket["walk"] for bucket in json.loads(done.stdout)["pools"][0]["buckets"]}
        self.assertEqual(walks, {"sound"})

    def test_without_isolation_the_broken_context_is_an_error(self):
        done = size(model=INPUTS / "model.json", buckets=INPUTS / "buckets.json", GRAPHPLAN_BREAK="capture",
                    LD_LIBRARY_PATH=f"{BROKEN}:{os.environ.get('LD_LIBRARY_PATH', '')}")
        self.assertEqual(done.returncode, 4, done.stderr.decode())
        self.assertIn("illegal memory access", json.loads(done.stdout)["message"])


def end_without_gpu():
    listing = {backend["name"]: backend for backend in json.loads(run("devices", "--json").stdout)["backends"]}
    if listing["cuda"]["available"]:
        return
    fails = os.environ.get("GRAPHPLAN_REQUIRE_GPU") == "1"
    print(f"{'FAILED' if fails else 'SKIPPED'}: there is no GPU: {listing['cuda']['note']}")
    sys.exit(1 if fails else 0)


if __name__ == "__main__":
    PROGRAM, NEIGHBOUR, BROKEN = (str(pathlib.Path(argument).resolve()) for argument in sys.argv[1:4])
    end_without_gpu()
    unittest.main(argv=sys.argv[:1] + sys.argv[4:])
