"""Product code stays under one ceiling: what grows must be worth its lines."""

import runpy
import tomllib
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
SIZE = runpy.run_path(str(ROOT / "scripts" / "size.py"))
CEILING = tomllib.loads((ROOT / "tests" / "data" / "size_ceiling.toml").read_text())["lines"]


@cache
def product_lines():
    return sum(sum(lines.values()) for lines in SIZE["sizes"]().values())


def test_the_product_stays_under_one_ceiling():
    assert product_lines() <= CEILING, (
        "simplify, or raise the ceiling in a commit that says what the lines buy"
    )


def test_the_ceiling_is_not_loose():
    """A ceiling far above the code would let it grow unseen."""
    assert 1.01 * product_lines() >= CEILING


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
