import json
import unittest

from support import ROOT

from graphplan_torch.buckets import Bucket, Shape, read_buckets, sizing_order, split_rows
from graphplan_torch.errors import DocumentError


def document(**capture):
    return {"captures": [{"node": "llm", "walk": "decode", "batch_sizes": [1, 4], **capture}]}


class Expansion(unittest.TestCase):
    def shapes(self, **capture):
        return [(b.shape.bs, b.shape.tokens) for b in read_buckets(document(**capture))]

    def test_batched_tokens_follow_from_the_batch_size(self):
        self.assertEqual(self.shapes(), [(1, 1), (4, 4)])
        self.assertEqual(self.shapes(tokens_per_request=3, tokens_multiplier=2), [(1, 6), (4, 24)])

    def test_packed_is_every_batch_size_with_every_length(self):
        found = self.shapes(kind="packed", token_lengths=[512, 1024])
        self.assertEqual(found, [(1, 512), (1, 1024), (4, 512), (4, 1024)])

    def test_slots_key_and_denial_are_kept(self):
        first, _ = read_buckets(document(slots=2, key="cfg", capture="deny"))
        self.assertEqual(first, Bucket("llm", Shape("decode", "cfg", 1, 1), slots=2, denied=True))

    def test_the_remainder_of_packed_tokens_lies_on_the_first_row(self):
        self.assertEqual(split_rows(3, 10), [4, 3, 3])
        self.assertEqual(split_rows(1, 7), [7])

    def test_the_samples_expand(self):
        configs = sorted((ROOT / "samples/pytorch").rglob("*buckets.json"))
        self.assertGreaterEqual(len(configs), 5)
        for path in configs:
            self.assertTrue(read_buckets(json.loads(path.read_text())), path)


class Order(unittest.TestCase):
    def test_largest_first_by_batch_size_then_tokens_and_otherwise_as_it_stood(self):
        buckets = [
            Bucket("n", Shape(walk, None, bs, tokens))
            for walk, bs, tokens in (("b", 1, 512), ("a", 4, 4), ("a", 1, 1), ("b", 4, 4), ("b", 4, 512))
        ]
        order = [(b.shape.walk, b.shape.bs, b.shape.tokens) for b in sizing_order(buckets)]
        self.assertEqual(order, [("b", 4, 512), ("a", 4, 4), ("b", 4, 4), ("b", 1, 512), ("a", 1, 1)])


class BadInput(unittest.TestCase):
    CASES = (
        ({"captures": []}, "/captures: "),
        ({}, "/captures: "),
        (document(slots=0), "/captures/0/slots: found 0"),
        (document(batch_sizes=[1, 2.5]), "/captures/0/batch_sizes/1: found 2.5"),
        (document(batch_sizes=[True]), "/captures/0/batch_sizes/0: found True"),
        (document(batch_sizes=[]), "/captures/0/batch_sizes: "),
        (document(kind="packed"), "/captures/0/token_lengths: "),
        (document(kind="ragged"), "/captures/0/kind: found 'ragged'"),
        (document(capture="never"), "/captures/0/capture: found 'never'"),
        (document(walk=""), "/captures/0/walk: found ''"),
        (document(region="vit"), "/captures/0/region: "),
        ({"captures": document()["captures"] * 2}, "/captures/1: llm decode bs=1 tokens=1 is already in /c"),
    )

    def test_the_message_names_the_place(self):
        for content, words in self.CASES:
            with self.subTest(words), self.assertRaises(DocumentError) as caught:
                read_buckets(content)
            self.assertIn(words, str(caught.exception))


if __name__ == "__main__":
    unittest.main()
