import unittest

import support  # noqa: F401

from graphplan_torch.buckets import Bucket, Shape
from graphplan_torch.documents import PlannedPool
from graphplan_torch.report import MIB, Report, Taken


class Meter:
    """Memory of a process, moved by hand: torch's allocator and everything else."""

    def __init__(self):
        self.allocator = 1000 * MIB
        self.other = 500 * MIB

    def used(self):
        return self.allocator + self.other

    def reserved(self):
        return self.allocator


class Names(unittest.TestCase):
    def test_each_byte_falls_under_one_name(self):
        meter = Meter()
        taken, report = Taken(meter), Report()
        meter.allocator += 32 * MIB  # a workspace
        meter.other += 76 * MIB  # modules
        taken.warmed()
        meter.allocator += 300 * MIB  # the pool
        meter.other += 70 * MIB  # streams

        def instantiate():
            meter.other += 6 * MIB

        executables = taken.executable(instantiate) + taken.executable(lambda: None)
        planned = PlannedPool("llm", (Bucket("llm", Shape("decode", None, 1, 1)),), 299 * MIB, 4 * MIB)
        report.pools.append(report.pool(planned, 300 * MIB, executables, [300 * MIB]))
        taken.finish(report, 178 * MIB)

        self.assertEqual(executables, 6 * MIB)
        self.assertEqual(report.modules_once_bytes, 76 * MIB)
        self.assertEqual(report.workspaces_once_bytes, 32 * MIB)
        self.assertEqual(report.first_capture_once_bytes, 70 * MIB)
        self.assertEqual(report.predicted_device_bytes, (299 + 4 + 178) * MIB)
        self.assertEqual(report.taken_device_bytes, (300 + 6 + 76 + 32 + 70) * MIB)
        self.assertIn("llm: pool 300.0 MiB (predicted 299.0 MiB)", report.lines()[0])

    def test_dropped_buckets_are_named(self):
        report = Report(dropped=["llm: decode bs=4 tokens=4: refused"])
        self.assertIn("decode bs=4 tokens=4: refused", report.lines()[-1])
        self.assertEqual(report.document()["dropped"], report.dropped)


if __name__ == "__main__":
    unittest.main()
