"""The committed measurements: the program plans them as it did, and predicts what processes took.

python3 test_measured.py GRAPHPLAN
"""

import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from support import ROOT

MEASURED = ROOT / "plans/measured/torch"
MIB = 2**20


def case_of(row):
    return f"{row['model']}.{row['allocator']}"


class Measured(unittest.TestCase):
    program = ""

    def plan(self, case, free_bytes):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "plan.json"
            command = [self.program, "plan", str(MEASURED / f"{case}.costs.json.gz"), "-o", str(path)]
            command += ["--memory-model", "exact", "--free-mib", str(free_bytes // MIB)]
            subprocess.run(command, check=True, capture_output=True)
            return json.loads(path.read_text())

    def test_plans_and_predictions_hold(self):
        rows = json.loads((MEASURED / "results.json").read_text())["rows"]
        # the largest traces are committed under one allocator setting only
        rows = [row for row in rows if (MEASURED / f"{case_of(row)}.costs.json.gz").is_file()]
        for allocator in ("default", "expandable"):
            self.assertGreaterEqual(len({row["model"] for row in rows if row["allocator"] == allocator}), 5)
        for row in rows:
            with self.subTest(case=case_of(row), plan=row["plan"]):
                self.check(row)

    def check(self, row):
        committed = json.loads((MEASURED / f"{case_of(row)}.{row['plan']}.plan.json").read_text())
        plan = self.plan(case_of(row), committed["budget"]["free_bytes"])
        self.assertEqual(plan["pools"], committed["pools"])
        for pool, taken in zip(plan["pools"], row["report"]["pools"], strict=True):
            self.assertEqual(pool["predicted_bytes"], taken["taken_bytes"])
            walks = len({(c["walk"], c["key"]) for c in pool["captures"]})
            off = abs(pool["outside_bytes"] - taken["taken_outside_bytes"])
            self.assertLessEqual(off, walks * 2 * MIB)
        self.assertEqual(row["report"]["outputs_differ"], [])


if __name__ == "__main__":
    Measured.program = sys.argv.pop(1)
    unittest.main()
