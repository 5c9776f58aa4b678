import contextlib
import io
import tempfile
import unittest
from pathlib import Path

from support import ROOT

from graphplan_torch.__main__ import main

BUCKETS = str(ROOT / "samples/pytorch/vocoder.buckets.json")


class ExitCodes(unittest.TestCase):
    def call(self, *arguments):
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            try:
                code = main(arguments)
            except SystemExit as exit_:
                code = exit_.code
        return code, out.getvalue(), err.getvalue()

    def test_usage_is_2(self):
        for arguments in ((), ("size",), ("size", "--hf", "a", "--nodes", "b", "-b", BUCKETS), ("sise",)):
            with self.subTest(arguments):
                self.assertEqual(self.call(*arguments)[0], 2)

    def test_help_shows_a_session(self):
        code, out, _ = self.call("--help")
        self.assertEqual(code, 0)
        self.assertIn("graphplan plan costs.json", out)

    def test_a_bad_document_is_3_and_named(self):
        with tempfile.TemporaryDirectory() as folder:
            bad = Path(folder) / "bad.json"
            bad.write_text("{}")
            code, out, err = self.call("capture", str(bad), "--nodes", "x.py", "-b", BUCKETS)
            self.assertEqual((code, out), (3, ""))
            self.assertIn("bad.json: /schema", err)
            self.assertEqual(self.call("size", "--nodes", "x.py", "-b", str(bad))[0], 3)


if __name__ == "__main__":
    unittest.main()
