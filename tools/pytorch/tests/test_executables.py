import gzip
import json
import unittest

from support import ROOT

from graphplan_torch.executables import MOST_COPIES, PIECE, CopyCount, Executable, held_copies, measure

MIB = 2**20


def counted(drops, nodes=100, own=False):
    count, used = CopyCount(nodes, 0, own), 0
    for drop in drops:
        used += drop * MIB
        count.add(used)
    return count


class Count(unittest.TestCase):
    def test_starts_after_the_first_drop_and_ends_at_16_mib(self):
        count = counted([0, 0, 2] + [0, 2] * 8)
        self.assertTrue(count.counted)
        found = count.result()
        self.assertEqual(found.bytes_per_node, (16 + 2) * MIB / (16 * 100))
        self.assertEqual(found.held_bytes, 19 * (16 - 4) * MIB // 16)
        taken = [0, 0, 0] + [2 + 2 * (k // 2) for k in range(17)]
        self.assertEqual(found.curve_bytes, tuple(mib * MIB for mib in taken))
        self.assertEqual(found.outside_bytes(50), round(50 * found.bytes_per_node))

    def test_a_neighbour_that_gives_memory_back_spoils_count_and_curve(self):
        count = counted([2, 2, -50] + [2] + [2] * 8)
        found = count.result()
        self.assertEqual(found.bytes_per_node, 18 * MIB / (8 * 100))
        self.assertEqual(found.curve_bytes, ())

    def test_a_neighbour_that_takes_memory_spoils_the_count(self):
        count = counted([2, 2, 2, 40] + [0, 2] + [2] * 8)
        self.assertTrue(count.counted)
        self.assertEqual(count.result().bytes_per_node, 18 * MIB / (8 * 100))
        self.assertEqual(count.result().curve_bytes, ())

    def test_a_jump_that_ends_a_count_at_once_is_spoiled_not_believed(self):
        found = counted([2, 52, 2, 2] + [2] * 9).result()
        self.assertEqual(found.bytes_per_node, 18 * MIB / (8 * 100))
        self.assertEqual(found.curve_bytes, ())
        self.assertEqual(counted([2, 52]).result().curve_bytes, ())
        self.assertEqual(counted([2, 52]).result().held_bytes, 0)

    def test_large_graphs_agree_with_one_another(self):
        self.assertEqual(counted([30] * 4).result().curve_bytes, tuple(30 * MIB * k for k in range(5)))
        self.assertEqual(counted([30, 30], own=True).result().bytes_per_node, (30 + 2) * MIB / 100)
        self.assertTrue(counted([30, 30], own=True).counted)
        self.assertFalse(counted([30, 30, 30]).counted)

    def test_after_four_tries_the_largest_rate_stands(self):
        found = counted([2, 0, 0, 40] * 4).result()
        self.assertEqual(found.bytes_per_node, (40 + 2) * MIB / (3 * 100))
        self.assertEqual(found.held_bytes, 0)

    def test_copies_that_fit_in_a_piece_mapped_before(self):
        found = counted([0] * 10).result()
        self.assertEqual(found.bytes_per_node, PIECE / (10 * 100))

    def test_no_copy_or_only_falling_memory_says_nothing(self):
        self.assertIsNone(counted([]).result())
        self.assertIsNone(counted([-2]).result())

    def test_recorded_curves_are_counted_to_their_end(self):
        recordings = sorted((ROOT / "tests/data/fresh_process").glob("*.json.gz"))
        self.assertTrue(recordings)
        for path in recordings:
            recorded = json.loads(gzip.decompress(path.read_bytes()))["costs"]["walks"][0]["executable"]
            count = CopyCount(recorded["nodes"], 0, own=True)
            for used in recorded["curve_bytes"][1:]:
                count.add(used)
            self.assertEqual(list(count.result().curve_bytes), recorded["curve_bytes"], path.name)
            self.assertEqual(count.copies, recorded["copies"], path.name)
            self.assertTrue(count.counted, path.name)


class Measuring(unittest.TestCase):
    def test_goes_on_until_the_curve_holds_every_graph(self):
        used = [0]

        def copy():
            used[0] += 4 * MIB
            return True

        self.assertEqual(measure(100, copy, lambda: used[0], own=True).copies, 5)
        self.assertEqual(measure(100, copy, lambda: used[0], own=True, wanted=30).copies, 30)

    def test_ends_where_the_driver_refuses(self):
        self.assertIsNone(measure(100, lambda: False, lambda: 0, own=True))

    def test_ends_at_the_most_copies(self):
        self.assertEqual(measure(100, lambda: True, lambda: 0, own=True, wanted=10**6).copies, MOST_COPIES)

    def test_copies_are_destroyed_together_pass_or_fail(self):
        driver = FakeDriver()
        with self.assertRaises(ValueError), held_copies(driver) as copies:
            copy = copies.of(5)
            self.assertTrue(copy() and copy())
            self.assertEqual(driver.live, 2)
            raise ValueError
        self.assertEqual(driver.live, 0)

    def test_the_document_leaves_out_a_curve_that_was_spoiled(self):
        self.assertNotIn("curve_bytes", Executable(1, 1, 1.0, 0).document())
        self.assertEqual(Executable(1, 1, 1.0, 0, (0, 5)).document()["curve_bytes"], [0, 5])


class FakeDriver:
    live = 0

    def instantiate(self, raw_graph):
        self.live += 1
        return raw_graph

    def destroy(self, executable):
        self.live -= 1


if __name__ == "__main__":
    unittest.main()
