"""What only a GPU shows. Skipped loudly without one; GRAPHPLAN_REQUIRE_GPU=1 makes that a failure."""

import gc
import os
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

try:
    import torch

    HAS_GPU = torch.cuda.is_available()
except ImportError:
    HAS_GPU = False

if HAS_GPU:
    from graphplan_torch import Bucket, Shape, Walk, capture, size
    from graphplan_torch.environment import Meter, inspect
    from graphplan_torch.graphs import capture_graph
    from graphplan_torch.walks import storages

MIB = 2**20


def setUpModule():
    if HAS_GPU:
        return
    if os.environ.get("GRAPHPLAN_REQUIRE_GPU") == "1":
        raise AssertionError("GRAPHPLAN_REQUIRE_GPU=1, but there is no torch with a GPU")
    print("SKIPPED: no torch with a GPU; nothing that needs one was tested", file=sys.stderr)
    raise unittest.SkipTest("no torch with a GPU")


def buckets(*sizes, **more):
    return [Bucket("llm", Shape("decode", None, bs, bs), **more) for bs in sizes]


def plan_of(costs):
    """Every bucket with a graph, costliest first, nothing predicted."""
    pools = []
    for pool in costs["pools"]:
        having = [bucket for bucket in pool["buckets"] if bucket["graph_bytes"] is not None]
        order = sorted(having, key=lambda bucket: -bucket["graph_bytes"])
        captures = [{name: b[name] for name in ("walk", "key", "bs", "tokens", "slots")} for b in order]
        pools.append({"name": pool["name"], "predicted_bytes": 0, "outside_bytes": 0, "captures": captures})
    plan = {"schema": "graphplan.plan", "schema_version": "1.0", "pools": pools}
    return {**plan, "provenance": costs["provenance"]}


class Layer:
    """Two products and an output of each batch size."""

    def __init__(self):
        self.weight = torch.randn(512, 512, device="cuda") / 23

    def forward(self, x):
        return (x @ self.weight).relu() @ self.weight

    def inputs(self, shape):
        return {"x": torch.randn(shape.bs, 512, device="cuda")}

    def nodes(self, forward=None, **more):
        return {"llm": {"decode": Walk(forward or self.forward, self.inputs, **more)}}


class Sizing(unittest.TestCase):
    def setUp(self):
        self.layer = Layer()

    def test_gives_everything_back(self):
        meter = Meter(inspect())
        size(self.layer.nodes(), buckets(1))  # what a process pays once
        allocated, reserved = torch.cuda.memory_allocated(), meter.reserved()
        state, host = torch.cuda.get_rng_state(), torch.get_rng_state()
        size(self.layer.nodes(lambda x: self.layer.forward(x) + torch.rand_like(x)), buckets(4, 256))
        gc.collect()
        self.assertEqual(torch.cuda.memory_allocated(), allocated)
        self.assertEqual(meter.reserved(), reserved)
        self.assertTrue(torch.equal(torch.cuda.get_rng_state(), state))
        self.assertTrue(torch.equal(torch.get_rng_state(), host))

    def test_records_requested_sizes_outputs_and_the_workspace(self):
        costs = size(self.layer.nodes(), buckets(3))
        bucket, (trace,) = costs["pools"][0]["buckets"][0], costs["traces"]
        made = {event[1]: event for event in trace["events"] if event[0] == "a"}
        outputs = [event for event in made.values() if event[3:] == ["output"]]
        self.assertEqual([event[2] for event in outputs], [3 * 512 * 4])
        self.assertEqual(bucket["kept_bytes"], 3 * 512 * 4)
        freed = {event[1] for event in trace["events"] if event[0] == "f"}
        left = [event for number, event in made.items() if number not in freed and len(event) == 3]
        self.assertEqual(left, [], "what stays is an output or a workspace")
        workspaces = [event for event in made.values() if event[3:] == ["workspace"]]
        self.assertEqual(len(workspaces), 1)
        self.assertGreaterEqual(bucket["nodes"], 3)
        self.assertGreater(costs["walks"][0]["executable"]["copies"], 0)

    def test_counts_outputs_that_alias_once(self):
        def forward(x):
            y = self.layer.forward(x)
            return {"all": y, "half": y[: len(y) // 2], "input": x}

        costs = size(self.layer.nodes(forward), buckets(4))
        self.assertEqual(costs["pools"][0]["buckets"][0]["kept_bytes"], 4 * 512 * 4)

    def test_a_denied_bucket_is_warmed_only(self):
        bucket = size(self.layer.nodes(), buckets(2, denied=True))["pools"][0]["buckets"][0]
        self.assertIsNone(bucket["graph_bytes"])
        self.assertTrue(bucket["failure"].startswith("denied: "))
        self.assertGreater(bucket["peak_bytes"], 0)

    def test_a_failed_capture_leaves_the_next_ones_alone(self):
        def forward(x):
            x = x + torch.rand_like(x)
            if len(x) == 8:
                x.sum().item()
            return self.layer.forward(x)

        size(self.layer.nodes(), buckets(1))
        reserved = Meter(inspect()).reserved()
        large, failed, small = size(self.layer.nodes(forward), buckets(16, 8, 4))["pools"][0]["buckets"]
        self.assertIsNone(failed["graph_bytes"])
        self.assertTrue(failed["failure"].startswith("capture: "), failed["failure"])
        self.assertIn("captur", failed["failure"][len("capture: ") :])
        self.assertIsNotNone(large["graph_bytes"])
        self.assertIsNotNone(small["graph_bytes"])
        gc.collect()
        self.assertEqual(Meter(inspect()).reserved(), reserved)
        torch.rand(4, device="cuda")  # the generator works outside a capture again

    def test_none_shuts_out_ambient_autocast(self):
        with torch.autocast("cuda", torch.bfloat16):
            plain = size(self.layer.nodes(), buckets(4))["pools"][0]["buckets"][0]
        cast = size(self.layer.nodes(autocast=torch.bfloat16), buckets(4))["pools"][0]["buckets"][0]
        self.assertEqual(plain["kept_bytes"], 4 * 512 * 4)
        self.assertEqual(cast["kept_bytes"], 4 * 512 * 2)

    def test_cudnn_does_not_search_in_a_capture(self):
        seen = []

        def forward(x):
            if torch.cuda.is_current_stream_capturing():
                seen.append(torch.backends.cudnn.benchmark)
            return x + 1

        torch.backends.cudnn.benchmark = True
        try:
            size(self.layer.nodes(forward), buckets(4))
            self.assertEqual(seen, [False])
            self.assertTrue(torch.backends.cudnn.benchmark)
        finally:
            torch.backends.cudnn.benchmark = False

    def test_a_compiled_forward_is_captured_and_never_compiled_in_a_capture(self):
        compiled = torch.compile(lambda x: (x * 2).relu() + 1, dynamic=False)
        walk = Walk(lambda x: compiled(x), self.layer.inputs)
        bucket = size({"llm": {"decode": walk}}, buckets(4))["pools"][0]["buckets"][0]
        self.assertIsNone(bucket["failure"])
        stream, x = torch.cuda.Stream(), torch.randn(5, 512, device="cuda")
        with self.assertRaisesRegex(RuntimeError, "(?i)recompile"):
            capture_graph(lambda: walk.call({"x": x}), torch.cuda.graph_pool_handle(), stream)
        capture_graph(lambda: walk.call({"x": x[:4]}), torch.cuda.graph_pool_handle(), stream)


class Serving(unittest.TestCase):
    def setUp(self):
        self.layer = Layer()
        sizes = buckets(1, 4, 16, slots=2)
        self.nodes = self.layer.nodes(pad={"x": 0.0})
        self.session = capture(plan_of(size(self.nodes, sizes)), self.nodes)

    def test_replays_equal_eager_bit_for_bit(self):
        self.assertEqual([b.shape.bs for b in self.session.captured()], [16, 4, 1])
        for bucket in self.session.captured():
            self.assertTrue(self.session.check(bucket), bucket)

    def test_pads_and_returns_real_rows(self):
        x = torch.randn(3, 512, device="cuda")
        padded = torch.cat((x, torch.zeros(1, 512, device="cuda")))
        first = self.session.run("decode", {"x": x})
        self.assertTrue(torch.equal(first, self.layer.forward(padded)[:3]))
        second = self.session.run("decode", {"x": -x})  # the other slot
        self.assertTrue(torch.equal(first, self.layer.forward(padded)[:3]))
        self.assertFalse(torch.equal(first, second))

    def test_runs_eagerly_what_no_bucket_holds(self):
        x = torch.randn(17, 512, device="cuda")
        self.assertTrue(torch.equal(self.session.run("decode", {"x": x}), self.layer.forward(x)))

    def test_buckets_that_stay_eager_are_warmed(self):
        seen = []

        def forward(x):
            seen.append((len(x), torch.cuda.is_current_stream_capturing()))
            return self.layer.forward(x)

        plan = plan_of(size(self.layer.nodes(), buckets(1, 16)))
        plan["pools"][0]["eager"] = [plan["pools"][0]["captures"].pop(0)]
        capture(plan, self.layer.nodes(forward), warmup=1)
        self.assertEqual(seen, [(16, False), (1, False), (1, True)])

    def test_a_bucket_that_fails_is_dropped_and_the_rest_serves(self):
        def forward(x):
            if len(x) == 4 and torch.cuda.is_current_stream_capturing():
                raise ValueError("no graph of four")
            return self.layer.forward(x)

        nodes = self.layer.nodes(forward)
        plan = plan_of(size(self.layer.nodes(), buckets(1, 4, 16)))
        session = capture(plan, nodes)
        self.assertEqual([b.shape.bs for b in session.captured()], [16, 1])
        self.assertIn("no graph of four", session.report.dropped[0])
        with self.assertRaisesRegex(RuntimeError, "no graph of four"):
            capture(plan, nodes, require_graphs=True)

    def test_outputs_lie_in_one_pool(self):
        report = self.session.report.pools[0]
        self.assertEqual(len(report.taken_after_bytes), 6)
        self.assertEqual(report.taken_after_bytes[-1], report.taken_bytes)
        captured = self.session._captured["llm", "decode", None].values()
        outputs = [slot.outputs for found in captured for slot in found.slots]
        self.assertEqual(len(storages(outputs)), 6)


if __name__ == "__main__":
    unittest.main()
