import unittest

import support  # noqa: F401
from rules import key_of, lent_graphs, two_captures_rule, two_samples_rule
from table import table

MIB = 2**20


def bucket(bs, peak, graph, kept=1, walk="decode"):
    return {
        "walk": walk,
        "key": None,
        "bs": bs,
        "tokens": bs,
        "slots": 1,
        "peak_bytes": peak * MIB,
        "graph_bytes": None if graph is None else graph * MIB,
        "kept_bytes": kept * MIB,
    }


class Lending(unittest.TestCase):
    def graphs(self, *buckets):
        return [size // MIB for size in lent_graphs(buckets).values()]

    def test_the_third_takes_the_lenders_scratch_and_its_own_kept_bytes(self):
        self.assertEqual(
            self.graphs(bucket(8, 9, 40, 4), bucket(4, 8, 30, 2), bucket(2, 7, 5, 1)), [40, 30, 37]
        )

    def test_what_peaks_above_the_lender_is_captured(self):
        self.assertEqual(self.graphs(bucket(8, 9, 40), bucket(4, 8, 30), bucket(2, 10, 50)), [40, 30, 50])

    def test_nothing_is_lent_where_a_smaller_one_took_more_scratch(self):
        self.assertEqual(self.graphs(bucket(8, 9, 24), bucket(4, 8, 56), bucket(2, 7, 5)), [24, 56, 5])

    def test_walks_and_failures_are_kept_apart(self):
        found = lent_graphs([bucket(8, 9, 40), bucket(8, 9, None, walk="prefill"), bucket(4, 8, 30)])
        self.assertEqual(len(found), 2)


class Rules(unittest.TestCase):
    def test_two_captures(self):
        buckets = [bucket(8, 9, 40, 3), bucket(4, 8, 30, 2), bucket(2, 7, 5, 1)]
        planned = [dict(b, slots=2) for b in buckets[1:]]
        # kept in whole segments for each slot, and the largest scratch: the lent one's
        self.assertEqual(two_captures_rule(buckets, planned), (2 * 2 + 2 * 2 + 37) * MIB)
        self.assertEqual(two_captures_rule(buckets, []), 0)
        self.assertEqual(key_of(planned[0]), ("decode", None, 4, 4))

    def test_two_samples(self):
        self.assertEqual(two_samples_rule([278, 400, 500, 520]), 278 + 3 * 122)
        self.assertEqual(two_samples_rule([278]), 278)
        self.assertEqual(two_samples_rule([]), 0)


class Tables(unittest.TestCase):
    def row(self, **report):
        pool = {
            "predicted_bytes": 80 * MIB,
            "taken_bytes": 80 * MIB,
            "taken_outside_bytes": 12 * MIB,
            "predicted_outside_bytes": 12 * MIB,
        }
        once = {
            "modules_once_bytes": 76 * MIB,
            "workspaces_once_bytes": 0,
            "first_capture_once_bytes": 70 * MIB,
        }
        device = {"taken_device_bytes": 240 * MIB, "predicted_device_bytes": 238 * MIB}
        return {
            "model": "mixtral",
            "allocator": "default",
            "plan": "all",
            "graphs": 9,
            "left_out": 0,
            "two_captures_bytes": 90 * MIB,
            "two_samples_bytes": 164 * MIB,
            "one_off_bytes": 146 * MIB,
            "report": {"pools": [pool], **once, **device, **report},
        }

    def test_a_row_says_how_far_each_rule_is_off(self):
        text = table({"provenance": {"driver": "580"}, "rows": [self.row(outputs_differ=[])]})
        self.assertIn("| 80.0 | 80.0 (+0 B) | 90.0 (+10.0) | 164.0 (+84.0) | equals eager |", text)
        self.assertIn("| 240.0 | 238.0 | -2.0 | 80.0 | 12.0 (12.0) | 76.0 | 0.0 | 70.0 | 146.0 |", text)

    def test_a_difference_is_named(self):
        text = table({"provenance": {}, "rows": [self.row(outputs_differ=["decode bs=4 tokens=4"])]})
        self.assertIn("differs: decode bs=4 tokens=4", text)


if __name__ == "__main__":
    unittest.main()
