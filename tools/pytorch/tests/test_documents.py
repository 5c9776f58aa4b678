import gzip
import json
import tempfile
import unittest
from pathlib import Path

from support import ROOT

from graphplan_torch.buckets import Bucket, Shape
from graphplan_torch.documents import BucketCost, Costs, differences, plan_of, read, to_bytes, write
from graphplan_torch.errors import DocumentError
from graphplan_torch.executables import Executable

try:
    import jsonschema
except ImportError:
    jsonschema = None


def costs():
    large, small, denied, failed = (
        Bucket("llm", Shape("decode", None, bs, bs), slots=2) for bs in (8, 4, 2, 1)
    )
    events = [["a", 0, 4096, "output"], ["a", 1, 33554432, "workspace"]]
    return Costs(
        {"backend": "cuda", "framework": "torch 2.11.0"},
        {"expandable_segments": True},
        2000,
        1000,
        64,
        {
            "llm": [
                BucketCost(large, 8192, 4096, 2**21, 700, 10, events),
                BucketCost(small, 4096, 2048, 2**21, 700, 10, events),
                BucketCost(denied, 2048, 1024, failure="denied: its capture is denied"),
                BucketCost(failed, 1024, 512, failure="capture: operation not permitted"),
            ]
        },
        {("llm", "decode", None): Executable(10, 3, 70.5, 12, (0, 0, 2**21, 2**21))},
    ).document()


class CostsDocument(unittest.TestCase):
    def test_buckets_point_at_their_traces_and_null_graphs_have_none(self):
        large, small, denied, failed = costs()["pools"][0]["buckets"]
        self.assertEqual((large["trace"], small["trace"], len(costs()["traces"])), (0, 1, 2))
        self.assertEqual([b["sized_by"] for b in (large, denied, failed)], ["capture", None, "capture"])
        for bucket in (denied, failed):
            self.assertIsNone(bucket["graph_bytes"])
            self.assertNotIn("trace", bucket)

    def test_has_what_a_recorded_one_has(self):
        path = ROOT / "tests/data/fresh_process/fresh_llama_p2.json.gz"
        recorded = json.loads(gzip.decompress(path.read_bytes()))["costs"]
        made = costs()
        self.assertLessEqual(set(recorded), set(made))
        self.assertLessEqual(set(recorded["pools"][0]["buckets"][0]), set(made["pools"][0]["buckets"][0]))
        self.assertEqual(set(recorded["walks"][0]), set(made["walks"][0]))
        self.assertEqual(set(recorded["walks"][0]["executable"]), set(made["walks"][0]["executable"]))

    def test_validates_against_its_schema(self):
        schema = ROOT / "plans/schema/costs.json"
        if jsonschema is None or not schema.is_file():
            self.skipTest("needs python3-jsonschema and plans/schema")
        jsonschema.validate(costs(), json.loads(schema.read_text()))
        with self.assertRaises(jsonschema.ValidationError):
            jsonschema.validate({**costs(), "free_bytes": -1}, json.loads(schema.read_text()))

    def test_the_same_values_give_the_same_bytes(self):
        self.assertEqual(to_bytes(costs()), to_bytes(costs()))
        self.assertTrue(to_bytes(costs()).endswith(b"}\n"))


class Files(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def test_what_was_written_is_read_plain_or_compressed(self):
        for name in ("costs.json", "costs.json.gz"):
            write(costs(), self.folder / name)
            self.assertEqual(read(self.folder / name, "graphplan.costs").content, costs())
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), ["costs.json", "costs.json.gz"])

    def test_overwrites_only_by_force(self):
        path = self.folder / "costs.json"
        path.write_text("mine")
        with self.assertRaisesRegex(DocumentError, "--force"):
            write(costs(), path)
        self.assertEqual(path.read_text(), "mine")
        write(costs(), path, force=True)
        self.assertNotEqual(path.read_text(), "mine")

    def test_a_missing_folder_is_named(self):
        with self.assertRaisesRegex(DocumentError, "nowhere"):
            write(costs(), self.folder / "nowhere" / "costs.json")

    def test_bad_files_are_named_with_what_was_expected(self):
        cases = (
            (b"{", "could not be read"),
            (b"\x1f\x8b cut", "could not be read"),
            (b"[]", "expected 'graphplan.plan'"),
            (b'{"schema":"graphplan.costs","schema_version":"1.0"}', "found 'graphplan.costs'"),
            (b'{"schema":"graphplan.plan","schema_version":"2.0"}', "found '2.0'"),
        )
        for raw, words in cases:
            path = self.folder / "bad.json"
            path.write_bytes(raw)
            with self.subTest(words), self.assertRaises(DocumentError) as caught:
                read(path, "graphplan.plan")
            self.assertIn(words, str(caught.exception))
            self.assertIn("bad.json", str(caught.exception))


def plan(**pool):
    capture = {"walk": "decode", "key": None, "bs": 8, "tokens": 8, "slots": 2, "added_bytes": 5, "chosen": 0}
    eager = {"walk": "decode", "key": None, "bs": 64, "tokens": 64, "reason": "does_not_fit"}
    pools = [
        {
            "name": "llm",
            "predicted_bytes": 4,
            "outside_bytes": 2,
            "captures": [capture],
            "eager": [eager],
            **pool,
        }
    ]
    return {
        "schema": "graphplan.plan",
        "schema_version": "1.0",
        "provenance": {"driver": "580"},
        "budget": {"one_off_bytes": 72},
        "pools": pools,
    }


class PlanDocument(unittest.TestCase):
    def test_keeps_the_order_and_the_slots(self):
        (pool,) = plan_of(plan()).pools
        self.assertEqual(pool.captures, (Bucket("llm", Shape("decode", None, 8, 8), slots=2),))
        self.assertEqual(pool.eager, (Bucket("llm", Shape("decode", None, 64, 64)),))
        self.assertEqual(
            (pool.predicted_bytes, pool.outside_bytes, plan_of(plan()).one_off_bytes), (4, 2, 72)
        )

    def test_what_cannot_be_captured_here_is_refused(self):
        region = {"walk": "vit", "region": "vit", "bs": 1, "tokens": 4}
        with self.assertRaisesRegex(DocumentError, "region 'vit'"):
            plan_of(plan(captures=[region]))
        with self.assertRaisesRegex(DocumentError, "missing"):
            plan_of(plan(captures=[{"walk": "decode"}]))

    def test_shared_outputs_are_refused_with_a_remedy(self):
        with self.assertRaisesRegex(DocumentError, "/outputs: found 'shared'.*--outputs per_graph"):
            plan_of({**plan(), "schema_version": "1.2", "outputs": "shared"})
        self.assertEqual(len(plan_of({**plan(), "outputs": "per_graph"}).pools), 1)


class Environments(unittest.TestCase):
    HERE = {
        "driver": "580",
        "framework": "torch 2",
        "device": {"name": "H200"},
        "libraries": {"cuda": "13.0"},
    }

    def test_says_what_differs(self):
        planned = {
            "driver": "570",
            "framework": "torch 2",
            "device": {"name": "H100"},
            "libraries": {"cuda": "12.8"},
        }
        found = "; ".join(differences(planned, self.HERE))
        for words in ("driver: the plan was made for 570, this is 580", "H100", "12.8"):
            self.assertIn(words, found)
        self.assertNotIn("framework", found)

    def test_what_the_plan_does_not_say_is_no_difference(self):
        self.assertEqual(differences({"libraries": {"nccl": "2.27"}}, self.HERE), [])
        self.assertEqual(differences(self.HERE, self.HERE), [])


if __name__ == "__main__":
    unittest.main()
