"""Puts this folder on the path, and the one with the mutants."""

import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent / "mutation")]
