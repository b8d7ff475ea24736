"""Formulas as people write them."""

from __future__ import annotations


def readable(formula: str) -> str:
    """A formula of `theory` as people write it.

    >>> readable("2*(N-1)/N*S"), readable("N**2 - min(1, R)")
    ('2 (N-1)/N S', 'N^2-min(1,R)')
    """
    plain = formula.replace(", ", ",").replace(" + ", "+").replace(" - ", "-")
    return plain.replace("**", "^").replace("*", " ")


def alpha_beta_text(steps: str, sent: str, added: str = "0") -> str:
    """The terms of a closed form, without factors of 1 and terms of 0.

    >>> alpha_beta_text("2 (N-1)", "2 (N-1)/N S"), alpha_beta_text("1", "1 S")
    ('2 (N-1) α + 2 (N-1)/N S β', 'α + S β')
    >>> alpha_beta_text("N-1", "0"), alpha_beta_text("0", "0 S")
    ('(N-1) α', '0')
    """
    terms = (f"{_factor(steps)} α", f"{_factor(sent)} β", f"{_factor(added)} γ")
    return " + ".join(term.removeprefix("1 ") for term in terms if not term.startswith("0 ")) or "0"


def _factor(formula: str) -> str:
    """A formula as a factor: in brackets where it is a sum."""
    depth = 0
    for letter in formula:
        depth += (letter == "(") - (letter == ")")
        if not depth and letter in "+-":
            return f"({formula})"
    return formula
