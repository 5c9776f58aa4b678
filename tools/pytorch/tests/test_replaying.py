import unittest

import support  # noqa: F401

from graphplan_torch.buckets import Shape
from graphplan_torch.replaying import PaddingRows, Turns, tightest


def shapes(*sizes):
    return [Shape("prefill", None, bs, tokens) for bs, tokens in sizes]


class Choice(unittest.TestCase):
    def test_the_tightest_goes_by_tokens_first(self):
        captured = shapes((1, 2048), (4, 512), (2, 512), (8, 1024))
        self.assertEqual(tightest(captured, 1, 300), Shape("prefill", None, 2, 512))
        self.assertEqual(tightest(captured, 3, 512), Shape("prefill", None, 4, 512))
        self.assertEqual(tightest(captured, 4, 513), Shape("prefill", None, 8, 1024))

    def test_nothing_fits(self):
        self.assertIsNone(tightest(shapes((4, 4)), 5, 5))
        self.assertIsNone(tightest([], 1, 1))


class Padding(unittest.TestCase):
    def test_rows_never_meet_a_request_and_stay_the_same(self):
        rows = PaddingRows()
        first = rows.ids("decode", 0, 3, 2)
        self.assertEqual(first, [-2, -3])
        self.assertEqual(rows.ids("decode", 0, 2, 3), [-4, -2, -3])
        self.assertEqual(rows.ids("decode", 0, 3, 2), first)

    def test_slots_and_walks_have_rows_of_their_own(self):
        rows = PaddingRows()
        made = [rows.ids(walk, slot, 0, 4) for walk in ("decode", "prefill") for slot in (0, 1)]
        self.assertEqual(len({number for ids in made for number in ids}), 16)

    def test_slots_take_turns(self):
        turns = Turns(2)
        self.assertEqual([turns.take() for _ in range(5)], [0, 1, 0, 1, 0])


if __name__ == "__main__":
    unittest.main()
