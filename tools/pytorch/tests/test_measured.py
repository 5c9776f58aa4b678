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
        self.assertGreaterEqual(len({row["model"] for row in rows}), 5)
        self.assertGreaterEqual(len({row["allocator"] for row in rows}), 2)
        for row in rows:
            case = f"{row['model']}.{row['allocator']}"
            committed = json.loads((MEASURED / f"{case}.{row['plan']}.plan.json").read_text())
            with self.subTest(case=case, plan=row["plan"]):
                plan = self.plan(case, committed["budget"]["free_bytes"])
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
