#!/usr/bin/env python3
"""The report's page: complete by itself, and quiet in a real browser where there is one.

usage: report_test.py PROGRAM
"""
import html.parser
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest
import zlib

ROOT = pathlib.Path(__file__).resolve().parents[2]
MEASURED = ROOT / "plans/measured/h200"
BROWSER = shutil.which("chromium") or shutil.which("google-chrome")
PROGRAM = ""


class Page(html.parser.HTMLParser):
    """Figures by id: how many shapes each draws and how many rows its table has."""

    def __init__(self, text):
        super().__init__()
        self.figures, self.links, self._open = {}, [], None
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.links += [value for name, value in attributes.items() if name in ("src", "href")]
        if tag == "figure":
            self._open = self.figures[attributes["id"]] = {"shapes": 0, "rows": 0, "charts": 0}
        elif self._open is not None:
            self._open["shapes"] += tag in ("rect", "circle", "path")
            self._open["charts"] += tag == "svg"
            self._open["rows"] += tag == "tr"

    def handle_endtag(self, tag):
        if tag == "figure":
            self._open = None


def colors_of(png):
    """How many different rows of pixels a picture has."""
    data, at, chunks = png.read_bytes(), 8, b""
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at:at + 8])
        if kind == b"IDAT":
            chunks += data[at + 8:at + 8 + size]
        at += size + 12
    return len(set(zlib.decompress(chunks)[i:i + 997] for i in range(0, 1 << 18, 997)))


class ReportTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def run_program(self, *arguments):
        done = subprocess.run([PROGRAM, *map(str, arguments)], cwd=self.folder, capture_output=True, text=True,
                              timeout=120, check=False)
        return done

    def report(self, costs, *plan_arguments):
        if plan_arguments:
            self.assertEqual(self.run_program("plan", costs, *plan_arguments, "-o", "plan.json", "-q").returncode, 0)
        plan = ["plan.json"] if plan_arguments else []
        done = self.run_program("report", costs, *plan, "-o", "report.html", "-q")
        self.assertEqual(done.returncode, 0, done.stderr)
        return self.folder / "report.html"

    def check_page(self, path):
        page = Page(path.read_text(encoding="utf-8"))
        self.assertEqual([link for link in page.links if not link.startswith("data:")], [])
        self.assertNotIn("<script", path.read_text(encoding="utf-8"))
        for name, figure in page.figures.items():
            if figure["charts"]:
                self.assertGreater(figure["shapes"], 0, name)
                self.assertGreater(figure["rows"], 1, name)
        return page.figures

    def test_every_chart_has_its_data(self):
        figures = self.check_page(self.report(MEASURED / "omni.costs.json.gz", "--free-mib", "2000"))
        drawn = {name for name, figure in figures.items() if figure["charts"]}
        self.assertTrue({"budget", "memory", "times", "size-thinker", "size-talker", "size-code2wav", "steps", "sweep", "peak",
                         "map-thinker", "map-talker", "map-code2wav"} <= drawn, drawn)

    def test_shared_outputs_stand_beside_the_pools(self):
        costs = MEASURED / "llama-3.1-8b.vllm.costs.json.gz"
        figures = self.check_page(self.report(costs, "--outputs", "shared"))
        text = (self.folder / "report.html").read_text(encoding="utf-8")
        self.assertIn("<td>shared outputs</td>", text)
        self.assertIn("keep one buffer, which they share", text)
        self.assertEqual(figures["budget"]["rows"], 7)
        (self.folder / "report.html").unlink()
        (self.folder / "plan.json").unlink()
        figures = self.check_page(self.report(costs, "--outputs", "per_graph"))
        self.assertEqual(figures["budget"]["rows"], 6)
        self.assertNotIn("shared outputs", (self.folder / "report.html").read_text(encoding="utf-8"))

    def test_costs_alone_and_twice_the_same_bytes(self):
        first = self.report(MEASURED / "vocoder.costs.json.gz").read_bytes()
        figures = self.check_page(self.folder / "report.html")
        self.assertNotIn("steps", figures)
        (self.folder / "report.html").unlink()
        self.assertEqual(self.report(MEASURED / "vocoder.costs.json.gz").read_bytes(), first)

    def test_names_from_documents_are_text(self):
        (self.folder / "costs.json").write_text(
            '{"schema":"graphplan.costs","schema_version":"1.0","free_bytes_before":1073741824,"pools":[{"name":'
            '"<script>alert(1)</script>","buckets":[{"walk":"a\\"><b","bs":1,"tokens":1,"peak_bytes":1,'
            '"graph_bytes":2097152,"kept_bytes":512}]}]}')
        self.check_page(self.report(self.folder / "costs.json"))

    def test_wrong_arguments(self):
        costs = MEASURED / "vocoder.costs.json.gz"
        self.assertEqual(self.run_program("report", costs).returncode, 2)
        self.assertEqual(self.run_program("report", costs, "--json").returncode, 2)
        self.assertEqual(self.run_program("report", costs, "none.json", "-o", "r.html").returncode, 3)
        self.run_program("plan", MEASURED / "omni.costs.json.gz", "--free-mib", "900", "-o", "omni.json")
        done = self.run_program("report", costs, "omni.json", "-o", "r.html")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("made from other costs", done.stderr)
        self.assertEqual(self.run_program("report", costs, "-o", "r.html").returncode, 3)

    def test_a_browser_draws_it_without_a_complaint(self):
        if BROWSER is None:
            self.skipTest("SKIPPED: there is no chromium to open the page in")
        page = self.report(MEASURED / "llama-3.1-8b.costs.json.gz", "--free-mib", "900")
        for width in (390, 1200):
            picture = self.folder / f"{width}.png"
            done = subprocess.run(
                [BROWSER, "--headless=new", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr",
                 f"--user-data-dir={self.folder / 'profile'}", f"--window-size={width},2400",
                 f"--screenshot={picture}", f"file://{page}"], capture_output=True, text=True, timeout=120, check=False)
            self.assertEqual(re.findall(r".*CONSOLE.*", done.stderr), [])
            self.assertGreater(colors_of(picture), 20)


if __name__ == "__main__":
    PROGRAM = str(pathlib.Path(sys.argv[1]).resolve())
    unittest.main(argv=sys.argv[:1] + sys.argv[2:], verbosity=2)
