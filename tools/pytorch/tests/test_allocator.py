import unittest

import support  # noqa: F401

from graphplan_torch.allocator import check_backend, describe, options_in_force
from graphplan_torch.errors import AllocatorError


def settings(conf="", **in_force):
    """As torch's snapshot writes them where nothing is set."""
    default = {
        "PYTORCH_CUDA_ALLOC_CONF": conf,
        "max_split_size": -1,
        "garbage_collection_threshold": 0.0,
        "expandable_segments": False,
        "roundup_power2_divisions": {"1": 0, "2": 0, "4": 0},
    }
    return {**default, **in_force}


class Options(unittest.TestCase):
    def test_none_are_set(self):
        self.assertEqual(options_in_force(settings()), {})
        self.assertEqual(options_in_force(settings(max_split_size=2**63 - 1)), {})

    def test_what_is_in_force_counts(self):
        conf = "expandable_segments:True,max_split_size_mb:64,roundup_power2_divisions:4"
        found = options_in_force(
            settings(
                conf,
                expandable_segments=True,
                max_split_size=64 * 2**20,
                roundup_power2_divisions={"1": 4, "2": 4},
            )
        )
        expected = {"expandable_segments": True, "max_split_size_mb": 64, "roundup_power2_divisions": 4}
        self.assertEqual(found, expected)
        self.assertEqual(options_in_force(settings("expandable_segments:True")), {}, "torch did not take it")

    def test_what_moves_no_block_is_let_through(self):
        conf = "garbage_collection_threshold:0.8,pinned_use_background_threads:True,backend:native"
        self.assertEqual(options_in_force(settings(conf)), {})

    def test_what_is_not_modelled_is_refused(self):
        for conf in (
            "max_non_split_rounding_mb:40",
            "graph_capture_record_stream_reuse:True",
            "expandable_segments:True,large_segment_size_mb:64",
        ):
            with self.subTest(conf), self.assertRaisesRegex(AllocatorError, "does not model"):
                options_in_force(settings(conf))

    def test_divisions_that_differ_by_size_are_refused(self):
        conf = "roundup_power2_divisions:[256:1,512:2,>:8]"
        with self.assertRaisesRegex(AllocatorError, "differs by size"):
            options_in_force(settings(conf, roundup_power2_divisions={"256": 1, "512": 2}))

    def test_another_backend_is_refused(self):
        check_backend("native")
        with self.assertRaisesRegex(AllocatorError, "cudaMallocAsync"):
            check_backend("cudaMallocAsync")

    def test_description_is_stable(self):
        self.assertEqual(describe({}), "default")
        self.assertEqual(
            describe({"max_split_size_mb": 64, "expandable_segments": True}),
            "expandable_segments:True,max_split_size_mb:64",
        )


if __name__ == "__main__":
    unittest.main()
