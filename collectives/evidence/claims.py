"""Loads the claims of widely read pages from claims.toml and computes what they are held against.

A part of a claim is right if all that is computed for it agrees with the figure of the page,
imprecise if some of it does, wrong if nothing does; a claim is as good as its worst part.
"""

from __future__ import annotations

import ast
import math
import operator
import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

from collectives.errors import BadInput, naming
from collectives.evidence.readings import CONSTANTS, READINGS, Reading
from collectives.words import brief, nearest, quoted

VERDICTS = ("right", "imprecise", "wrong")  # from the best to the worst
CANNOT_SAY = "cannot say"
CLAIMS = Path(__file__).with_name("claims.toml")
ROUNDING = 1e-9  # of floats, as a part
TINY = math.ulp(0.0)  # the least that is above zero
OPERATORS = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}
KINDS = {str: "a text", int: "a whole number", float: "a number", list: "tables", dict: "a table"}
_FIGURE = re.compile(
    r"(about |less than |more than )?([-+\d.,e]+)(?: to ([-+\d.e]+))?( (?!to\b)\S+)?"
)
Number = int | float | Fraction


@dataclass(frozen=True)
class Figure:
    """A figure as a page gives it: its text, its unit, and the values it may stand for."""

    text: str
    low: float
    high: float
    unit: str = ""

    def holds(self, value: float) -> bool:
        """Whether a computed value is one of them."""
        margin = ROUNDING * abs(value)
        return self.low - margin <= value <= self.high + margin


def figure(text: str, within: float = 0.05) -> Figure:
    """The values that a figure of a page stands for; raises BadInput for what is no figure.

    A number as it is printed stands for all that are rounded to it. within: what "about" allows.

    >>> figure("13.04 GB").holds(13.0385), figure("13.04 GB").holds(14.0)
    (True, False)
    >>> figure("less than 1").holds(1.0), figure("about 2 x").holds(2.1), figure("1 to 9").holds(9)
    (False, True, True)
    """
    if text == "yes":
        return Figure(text, 1, 1, "yes/no")
    match = _FIGURE.fullmatch(text)
    try:
        if match is None:
            raise ValueError
        kind, digits, last = match[1], match[2].replace(",", ""), match[3]
        unit = (match[4] or "").strip()
        number, end = Fraction(digits), float(last or 0)
    except ValueError:
        raise BadInput(f"figure {quoted(text)}: must be like 13.04 GB, about 2, 1 to 9") from None
    value, printed = float(number), text.removesuffix(match[4] or "")
    if last:
        return Figure(printed, value, end, unit)
    if kind == "less than ":
        return Figure(printed, -math.inf, value - 2 * ROUNDING * abs(value), unit)
    if kind == "more than ":
        return Figure(printed, value + 2 * ROUNDING * abs(value) or TINY, math.inf, unit)
    if kind == "about ":
        return Figure(printed, value * (1 - within), value * (1 + within), unit)
    mantissa, _, exponent = digits.lower().partition("e")
    half = Fraction(10) ** (int(exponent or 0) - len(mantissa.partition(".")[2])) / 2
    return Figure(printed, float(number - half), float(number + half), unit)


@dataclass(frozen=True)
class ClaimPart:
    """One figure of a claim: what it is a figure of, and the expressions it is held against."""

    what: str
    said: Figure
    computed: Mapping[str, str]  # under which condition: the expression

    def values(self) -> dict[str, float]:
        """What is computed under each condition."""
        return {when: float(evaluate(text)) for when, text in self.computed.items()}

    def verdict(self, values: Mapping[str, float]) -> str:
        """right, imprecise or wrong: whether all, some or none of the values agree."""
        agree = [self.said.holds(value) for value in values.values()]
        return VERDICTS[0 if all(agree) else 1 if any(agree) else 2]


@dataclass(frozen=True)
class Claim:
    """A claim of a page, restated in short; `why` says what it leaves out or confuses."""

    number: int
    says: str
    why: str
    parts: tuple[ClaimPart, ...]


@dataclass(frozen=True)
class OpenClaim:
    """A claim that no number can settle: what it says, the verdict of its readers, and why."""

    number: int
    says: str
    verdict: str
    why: str


@dataclass(frozen=True)
class ClaimPage:
    """A page, its letter, how many of its claims were looked at: those of numbers, and others."""

    letter: str
    title: str
    looked_at: int
    claims: tuple[Claim, ...]
    remarks: tuple[OpenClaim, ...] = ()


@dataclass(frozen=True)
class Answer:
    """A claim with what was computed for each of its parts, and the verdict that follows."""

    page: ClaimPage
    claim: Claim
    values: tuple[Mapping[str, float], ...]

    @property
    def name(self) -> str:
        """The page's letter and the claim's number: C2."""
        return f"{self.page.letter}{self.claim.number}"

    @property
    def verdict(self) -> str:
        """That of the worst part."""
        parts = zip(self.claim.parts, self.values, strict=True)
        return max((part.verdict(values) for part, values in parts), key=VERDICTS.index)


def answer(page: ClaimPage, claim: Claim) -> Answer:
    """Compute all that a claim needs; raises BadInput for an expression that means nothing."""
    with naming(f"claim {page.letter}{claim.number}"):
        return Answer(page, claim, tuple(part.values() for part in claim.parts))


def evaluate(text: str, readings: Mapping[str, Reading] = READINGS) -> Number:
    """The value of an expression of numbers, + - * /, and readings with their arguments.

    >>> evaluate('2 * steps("ring", 8) / 7')
    4.0
    """
    try:
        return _value(ast.parse(text, mode="eval").body, text, readings)
    except (RecursionError, MemoryError):
        raise BadInput(f"{quoted(text)}: is nested too deep; try: '2 * 7'") from None
    except (SyntaxError, TypeError, ZeroDivisionError) as problem:
        raise BadInput(f"{quoted(text)}: {problem.args[0]}") from None


def _value(node: ast.expr, text: str, readings: Mapping[str, Reading]) -> Number:
    """The value of a node of an expression; raises BadInput for any but those it may have."""
    if isinstance(node, ast.Constant) and type(node.value) in (int, float):
        return node.value  # type: ignore[return-value]
    if isinstance(node, ast.Name) and node.id in CONSTANTS:
        return CONSTANTS[node.id]
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return -_value(node.operand, text, readings)
    if isinstance(node, ast.BinOp) and type(node.op) in OPERATORS:
        left, right = (_value(side, text, readings) for side in (node.left, node.right))
        result: Number = OPERATORS[type(node.op)](left, right)
        return result
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        name = node.func.id
        if name not in readings:
            raise BadInput(f"{quoted(text)}: unknown reading {name}; {nearest(name, readings)}")
        named = {
            keyword.arg: _argument(keyword.value, text, readings)
            for keyword in node.keywords
            if keyword.arg
        }
        return readings[name](*(_argument(arg, text, readings) for arg in node.args), **named)
    what = ast.unparse(node)
    raise BadInput(f"{quoted(text)}: {brief(what)} is no number, constant, reading or + - * /")


def _argument(node: ast.expr, text: str, readings: Mapping[str, Reading]) -> Number | str:
    """An argument of a reading: a text, or an expression."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    return _value(node, text, readings)


@cache
def pages(path: Path = CLAIMS) -> tuple[ClaimPage, ...]:
    """All pages of a file of claims; raises BadInput naming the file, the claim and the fault."""
    where = quoted(str(path))
    try:
        every = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as problem:
        raise BadInput(f"{where}: {problem}") from None
    (tables,) = _fields(every, where, page=list)
    read = []
    for at, table in enumerate(tables, 1):
        others = table.pop("remark", []) if isinstance(table, dict) else []
        if not isinstance(others, list):
            raise BadInput(f"{where}: page {at}: 'remark' must be tables")
        kinds = {"letter": str, "title": str, "looked_at": int, "claim": list}
        letter, title, looked_at, claims = _fields(table, f"{where}: page {at}", **kinds)
        page = f"{where}: page {letter}"
        claims_read = tuple(_claim(claim, page) for claim in claims)
        remarks = tuple(_remark(remark, page) for remark in others)
        read.append(ClaimPage(letter, title, looked_at, claims_read, remarks))
    return tuple(read)


def _remark(table: object, page: str) -> OpenClaim:
    """A claim without a number from its table; raises BadInput naming what is wrong with it."""
    kinds = {"number": int, "says": str, "verdict": str, "why": str}
    number, says, verdict, why = _fields(table, f"{page}, a remark", **kinds)
    if verdict not in (*VERDICTS, CANNOT_SAY):
        hint = nearest(verdict, (*VERDICTS, CANNOT_SAY))
        raise BadInput(f"{page}, remark {number}: verdict {quoted(verdict)}; {hint}")
    return OpenClaim(number, says, verdict, why)


def _claim(table: object, page: str) -> Claim:
    """A claim from its table; raises BadInput naming what is wrong with which claim or part."""
    kinds = {"number": int, "says": str, "why": str, "part": list}
    number, says, why, parts = _fields(table, f"{page}, a claim", **kinds)
    where, parts_read = f"{page}, claim {number}", []
    for part in parts:
        part = {"within": 0.05} | part if isinstance(part, dict) else part
        kinds = {"of": str, "figure": str, "within": float, "computed": dict}
        what, text, within, computed = _fields(part, f"{where}, a part", **kinds)
        _fields(computed, f"{where}, computed", **dict.fromkeys(computed, str))
        parts_read.append(ClaimPart(what, figure(text, within), computed))
    return Claim(number, says, why, tuple(parts_read))


def _fields(table: object, where: str, **kinds: type) -> list[Any]:
    """The values of a table's fields; raises BadInput where one is missing, unknown or wrong."""
    if not isinstance(table, dict):
        raise BadInput(f"{where}: must be a table")
    for name in table:
        if name not in kinds:
            raise BadInput(f"{where}: unknown field {brief(name)}; {nearest(name, kinds)}")
    for name, kind in kinds.items():
        if type(table.get(name)) is not kind or not table[name]:
            raise BadInput(f"{where}: {brief(name)} must be {KINDS[kind]}")
    return [table[name] for name in kinds]


def answers(names: Iterable[str] = ()) -> tuple[Answer, ...]:
    """Answers to the claims of these names (C2) or pages (C) that numbers settle; to all if none.

    >>> [one.verdict for one in answers(["C2", "c13"])]
    ['wrong', 'right']
    """
    known = {
        f"{page.letter}{claim.number}": (page, claim) for page in pages() for claim in page.claims
    }
    return tuple(answer(*known[name]) for name in _wanted(names) if name in known)


def remarks(names: Iterable[str] = ()) -> tuple[tuple[ClaimPage, OpenClaim], ...]:
    """The claims of these names (A13) or pages (A) that no number settles; all if none.

    >>> [remark.verdict for _, remark in remarks(["A13", "c2"])]
    ['imprecise']
    """
    known = {
        f"{page.letter}{remark.number}": (page, remark)
        for page in pages()
        for remark in page.remarks
    }
    return tuple(known[name] for name in _wanted(names) if name in known)


def _wanted(names: Iterable[str]) -> list[str]:
    """The names of the claims that are asked for, all of a page for its letter; all for none."""
    every = [
        f"{page.letter}{number}"
        for page in pages()
        for number in sorted([c.number for c in page.claims] + [r.number for r in page.remarks])
    ]
    letters, wanted = {page.letter for page in pages()}, dict[str, None]()
    for name in names:
        key = str(name).strip().upper()
        if key not in letters and key not in every:
            raise BadInput(f"claim {brief(name)}: {_near(key, every, letters)}")
        wanted |= dict.fromkeys(key_of for key_of in every if key in (key_of, key_of[0]))
    return list(wanted) or every


def _near(key: str, known: Iterable[str], letters: set[str]) -> str:
    """The nearest claim of that page, or what there is to choose from."""
    if key[:1] in letters and key[1:].isdecimal():
        there = [int(name[1:]) for name in known if name[0] == key[0]]
        best = min(there, key=lambda number: abs(number - int(key[1:4])))
        return f"the page has no such claim; try: {key[0]}{best}"
    hint = nearest(key, known)
    return hint if hint.startswith("did") else f"choose a page ({', '.join(sorted(letters))}) or C2"
