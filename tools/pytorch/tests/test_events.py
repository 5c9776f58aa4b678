import unittest

import support  # noqa: F401

from graphplan_torch.events import Ranges, bytes_tagged, freed_by, trace_of

POOL = Ranges.of_segments([{"address": 1000, "total_size": 100}, {"address": 5000, "total_size": 50}])


def entry(action, address, size=0):
    return {"action": action, "addr": address, "size": size, "stream": 7}


class Trace(unittest.TestCase):
    def test_ids_count_allocations_and_follow_a_reused_address(self):
        history = [
            entry("alloc", 1000, 30),
            entry("free_requested", 1000, 30),
            entry("free_completed", 1000, 30),
            entry("alloc", 1000, 40),
            entry("alloc", 5000, 8),
            entry("free_completed", 1000, 40),
        ]
        self.assertEqual(
            trace_of(history, POOL), [["a", 0, 30], ["f", 0], ["a", 1, 40], ["a", 2, 8], ["f", 1]]
        )

    def test_leaves_out_what_is_not_the_pools(self):
        history = [
            entry("segment_alloc", 1000, 100),
            entry("alloc", 999, 8),
            entry("alloc", 1100, 8),
            entry("alloc", 1099, 1),
            entry("free_completed", 999, 8),
            {"action": "oom", "size": 3, "device_free": 1},
            {"action": "snapshot", "addr": 0, "size": 0},
        ]
        self.assertEqual(trace_of(history, POOL), [["a", 0, 1]])

    def test_leaves_out_frees_of_what_was_there_before(self):
        self.assertEqual(trace_of([entry("free_completed", 1000, 8)], POOL), [])

    def test_tags_what_is_live_at_the_end(self):
        history = [
            entry("alloc", 1000, 10),
            entry("free_completed", 1000, 10),
            entry("alloc", 1000, 20),
            entry("alloc", 1040, 32),
            entry("alloc", 5000, 5),
        ]
        events = trace_of(history, POOL, outputs=(1000, 4), workspaces=(1040,))
        self.assertEqual(
            events,
            [["a", 0, 10], ["f", 0], ["a", 1, 20, "output"], ["a", 2, 32, "workspace"], ["a", 3, 5]],
        )
        self.assertEqual(bytes_tagged(events, "output"), 20)
        self.assertEqual(bytes_tagged(events, "workspace"), 32)

    def test_a_workspace_that_is_an_output_is_tagged_once(self):
        self.assertEqual(
            trace_of([entry("alloc", 1000, 9)], POOL, (1000,), (1000,)), [["a", 0, 9, "workspace"]]
        )

    def test_freed_by_names_addresses_of_the_pool(self):
        history = [entry("free_completed", 1000), entry("free_completed", 1), entry("alloc", 5000, 1)]
        self.assertEqual(freed_by(history, POOL), {1000})


if __name__ == "__main__":
    unittest.main()
