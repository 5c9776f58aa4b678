"""Puts the package on the path, from wherever the tests are run."""

import sys
from pathlib import Path

TOOLS = Path(__file__).resolve().parents[1]
ROOT = TOOLS.parents[1]
for folder in (TOOLS, TOOLS / "measure"):
    sys.path.insert(0, str(folder))
