"""Product code stays within a budget for each folder: what grows must be worth its lines."""

import runpy
import tomllib
from functools import cache
from pathlib import Path

from each import each

ROOT = Path(__file__).parents[1]
SIZE = runpy.run_path(str(ROOT / "scripts" / "size.py"))
BUDGET = tomllib.loads((ROOT / "tests" / "data" / "size_budget.toml").read_text())["lines"]


@cache
def found():
    """Lines of each folder."""
    return {folder: sum(lines.values()) for folder, lines in SIZE["sizes"]().items()}


def test_every_folder_has_a_budget():
    assert set(found()) == set(BUDGET)


@each("folder", sorted(BUDGET))
def test_a_folder_stays_within_its_budget(folder):
    assert found()[folder] <= BUDGET[folder], "simplify, or raise the budget and say why"


def test_budgets_are_not_loose():
    """A budget far above the code would let it grow unseen."""
    assert sum(BUDGET.values()) <= 1.03 * sum(found().values())


def test_blanks_comments_and_docstrings_are_not_counted():
    python = """'''Doc
string.'''

# comment
x = '''a
b'''


def f():
    '''One.'''
    return (
        x  # why
    )
"""
    assert SIZE["python_lines"](python) == 6
    assert SIZE["javascript_lines"]("/* a\n b */\n\n// c\nlet x = 1; // d\n/** e */ let y;\n") == 2
