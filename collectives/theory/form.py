"""Closed forms: the formulas of an algorithm, as people read them and as they are evaluated."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import IntEnum
from fractions import Fraction
from functools import lru_cache
from types import CodeType

import numpy as np

from collectives.theory.case import LETTERS, Case, Letter

Count = Callable[[Case], int]
FUNCTIONS = {"min": min, "max": max, "abs": abs}
SENT = "sent"  # as busiest_port: in every step one and the same rank keeps the busiest port


@dataclass(frozen=True)
class Form:
    """Closed forms of one algorithm, for N > 1 and chunks of equal size.

    Formulas are in Python's notation, with the letters of `LETTERS`, those of `where`, and the
    algorithm's parameters by their names. steps: steps with messages. messages: messages of all
    nodes. sent: bytes sent by the busiest rank. total: bytes sent by all nodes. busiest_port:
    bytes through the busiest port of each step, summed, or SENT if `sent` is that; None if no
    formula is known, so that they are counted from the steps. optimal: which lower bounds are
    reached for every accepted number of ranks: R(ounds), B(ytes of the busiest port, sent or
    received), T(otal). with_channels: the forms where the algorithm runs in several channels.
    in_ways: the forms where a parameter names another way to run a part of it.

    A formula of bytes without a division counts whole vectors and is exact for chunks of any
    sizes. Others are evaluated for the smallest and the largest chunk, unless exact_sent or
    exact_total is a function that is exact for chunks of unequal size.
    """

    steps: str
    messages: str
    sent: str
    total: str
    busiest_port: str | None = None
    where: tuple[Letter, ...] = ()
    exact_sent: Count | None = None
    exact_total: Count | None = None
    optimal: str = ""
    with_channels: Form | None = None
    in_ways: Form | None = None

    def of(self, case: Case) -> Form:
        """The form that holds in a case: another one in several channels, or in other ways."""
        if self.in_ways and any(isinstance(value, IntEnum) for value in case.parameters.values()):
            return self.in_ways
        several = case.parameters.get("channels", 1) > 1
        return self.with_channels if several and self.with_channels else self

    @property
    def text(self) -> tuple[str, str, str, str]:
        """The four formulas."""
        return self.steps, self.messages, self.sent, self.total

    def letters(self, formula: str) -> list[Letter]:
        """The letters that a formula uses and that need a word, in the order of their use."""
        names = dict.fromkeys(_compiled(formula).co_names)
        own = {letter.symbol: letter for letter in self.where}
        return [(LETTERS | own)[name] for name in names if name in LETTERS | own]

    @property
    def every_letter(self) -> list[Letter]:
        """The letters of its four formulas, each once."""
        return list(dict.fromkeys(letter for text in self.text for letter in self.letters(text)))

    def step_count(self, case: Case) -> int:
        """Steps."""
        form = self.of(case)
        return form._value(form.steps, case)

    def message_count(self, case: Case) -> int:
        """Messages in all."""
        form = self.of(case)
        return form._value(form.messages, case)

    def sent_range(self, case: Case) -> tuple[int, int]:
        """Least and most bytes the busiest rank sends; both the same where the form is exact."""
        form = self.of(case)
        return form._range(form.sent, form.exact_sent, case)

    def total_range(self, case: Case) -> tuple[int, int]:
        """Least and most bytes all nodes send; both the same where the form is exact."""
        form = self.of(case)
        return form._range(form.total, form.exact_total, case)

    @property
    def port_formula(self) -> str | None:
        """The formula of the bytes through the busiest port of every step, where it is known."""
        return self.sent if self.busiest_port == SENT else self.busiest_port

    def port_bytes(self, case: Case) -> int | None:
        """Bytes through the busiest port of every step, for chunks of equal size."""
        return None if self.port_formula is None else self._value(self.port_formula, case)

    def holds(self, formula: str, case: Case, count: int) -> bool:
        """Whether the value of a formula is a count; never where it divides unequal chunks."""
        divides = "/" in formula and "S" in _compiled(formula).co_names
        try:
            return (case.even or not divides) and self._value(formula, case) == count
        except ArithmeticError:
            return False

    def _range(self, formula: str, exact: Count | None, case: Case) -> tuple[int, int]:
        """The value; where chunks differ, that for the smallest and that for the largest."""
        if exact is not None:
            return exact(case), exact(case)
        if "/" not in formula:
            return (self._value(formula, case),) * 2
        ends = (np.full_like(case.size, end) for end in (case.size.min(), case.size.max()))
        smallest, largest = (self._value(formula, replace(case, size=size)) for size in ends)
        return smallest, largest

    def _value(self, formula: str, case: Case) -> int:
        if case.N == 1:
            return 0
        code = _compiled(formula)
        known = LETTERS | {letter.symbol: letter for letter in self.where}
        names: dict[str, object] = {"__builtins__": {}, **FUNCTIONS}
        for name in code.co_names:
            if name in case.parameters:
                names[name] = Fraction(case.parameters[name])
            elif name in known:
                names[name] = Fraction(known[name].value(case))
        value = Fraction(eval(code, names))
        if value.denominator != 1:
            raise ArithmeticError(f"{formula} is {value} for {case}")
        return int(value)


@lru_cache(maxsize=1024)
def _compiled(formula: str) -> CodeType:
    return compile(formula, "<closed form>", "eval")
