"""Puts this folder on the path, so that the test can import the mutants beside it."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
