"""What `collectives list COLLECTIVE ALGORITHM` prints: all there is to know about one algorithm."""

from __future__ import annotations

import inspect
from collections.abc import Iterable
from typing import Any

from collectives.catalog import DEFAULT_CHUNKS, Parameter, Row
from collectives.catalog.row import ranks_only
from collectives.cli.console import say, say_paragraph
from collectives.theory.case import Letter
from collectives.words import plural

OPTIMA = {"R": "steps", "B": "bytes", "T": "bytes_total"}  # what equals its lower bound
SHOWN = (4, 8, 16, 64)  # numbers of ranks whose defaults are shown where they depend on it
EXAMPLE = 8  # ranks of an example


def show_row(row: Row) -> None:
    """All there is to know about one algorithm."""
    say(row.heading, bold=True)
    say(f"{row.promise.sentence}.")
    say(_sentence(row))
    facts = [("also called", ", ".join(row.also))]
    facts += [("ranks", row.sizes.text)]
    facts += [("takes", text) for text in _parameters(row)]
    usual = " with the default parameters" if row.takes else ""
    for what, formula, letter in _formulas(row):
        least = f"; equals its lower bound{usual}" if letter in row.form.optimal else ""
        facts.append((what, f"{readable(formula)}{least}"))
    facts += [
        ("where", _where(row)),
        ("memory", _memory(row)),
        ("used by", row.used_by),
        ("adds like", _same_bits(row)),
        ("source", row.source),
    ]
    facts += [("function", _place(row))]
    say()
    shown = ""
    for what, text in facts:
        if text:
            lead = "" if what == shown else what
            say_paragraph(text, f"  {lead}", 15)
            shown = what
    say()
    say(f"collectives run {row.promise.title} {row.algorithm} -n {_example(row)}")


def default_text(parameter: Parameter) -> str:
    """A default, or, where it depends on the number of ranks, some.

    >>> from collectives.catalog.parameters import BRUCK_RADIX
    >>> default_text(BRUCK_RADIX)
    '2'
    """
    value = usual_default(parameter)
    if value is not None:
        return str(value)
    return ", ".join(f"{parameter.default(ranks)} if N={ranks}" for ranks in SHOWN)


def source_place(row: Row) -> tuple[str, int]:
    """The file of an algorithm's function, from its package on, and the line it starts at."""
    file = row.function.__module__.replace(".", "/") + ".py"
    return file, inspect.getsourcelines(row.function)[1]


def _sentence(row: Row) -> str:
    """What the function promises in its own words: the first line of its docstring."""
    return (inspect.getdoc(row.function) or "").partition("\n")[0]


def _parameters(row: Row) -> list[str]:
    """The arguments beside the number of ranks, in words."""
    found = []
    if "root" in row.parameters:
        found.append("--root R, any rank (default 0)")
    if "chunks" in row.parameters:
        found.append(f"--chunks C, chunks of the pipeline (default {DEFAULT_CHUNKS})")
    for parameter in row.takes:
        found.append(
            f"-p {parameter.name}=VALUE, {parameter.meaning}: {parameter.rule} "
            f"(default {default_text(parameter)})"
        )
    return found


def _formulas(row: Row) -> list[tuple[str, str, str]]:
    steps, messages, sent, total = row.form.text
    return [
        ("steps", steps, "R"),
        ("messages", messages, "-"),
        ("sent", f"{sent} by the busiest rank", "B"),
        ("", f"{total} by all", "T"),
    ]


def _where(row: Row) -> str:
    """What the letters of its formulas mean."""
    letters = letters_of(row, row.form.text)
    return "; ".join(f"{letter.symbol}: {letter.meaning}" for letter in letters)


def _example(row: Row) -> int:
    """A small number of ranks that is accepted."""
    return next((ranks for ranks in (EXAMPLE, 9, *range(2, EXAMPLE)) if row.accepts(ranks)), 1)


def _memory(row: Row) -> str:
    """Slots and nodes, for a small number of ranks."""
    setting = row.setting(_example(row))
    chunk_count, scratch = row.chunk_count(setting), row.scratch(setting)
    parts = [plural(chunk_count, "chunk")]
    if row.promise.separate_buffers:
        parts.append(f"{chunk_count} more for what is received")
    if scratch:
        parts.append(plural(scratch, "scratch slot"))
    if row.nodes(setting) > setting.ranks:
        parts.append(f"{plural(row.nodes(setting) - setting.ranks, 'node')} in the network")
    return f"{', '.join(parts)} (for {setting.ranks} ranks)"


def _same_bits(row: Row) -> str:
    """Libraries in which floats are added in the same order."""
    found = "; ".join(row.same_bits_as)
    return f"{found}: floats end with the same bits" if found else ""


def _place(row: Row) -> str:
    file, line = source_place(row)
    return f"{row.function.__name__}, {file} line {line}"


def readable(formula: str) -> str:
    """A formula of `theory` as people write it.

    >>> readable("2*(N-1)/N*S"), readable("N**2 - min(1, R)")
    ('2 (N-1)/N S', 'N^2-min(1,R)')
    """
    plain = formula.replace(", ", ",").replace(" + ", "+").replace(" - ", "-")
    return plain.replace("**", "^").replace("*", " ")


def usual_default(parameter: Parameter) -> int | None:
    """The default that is the same for any number of ranks; None if there is none."""
    found = {parameter.default(ranks) for ranks in range(2, SHOWN[-1] + 1)}
    return found.pop() if len(found) == 1 else None


def letters_of(row: Row, formulas: Iterable[str]) -> list[Letter]:
    """The letters in these formulas, each once."""
    found = {letter.symbol: letter for text in formulas for letter in row.form.letters(text)}
    return list(found.values())


def row_report(row: Row) -> dict[str, Any]:
    """Everything `list --json` prints of an algorithm."""
    file, line = source_place(row)
    letters = letters_of(row, row.form.text)
    return {
        "collective": row.collective,
        "algorithm": row.algorithm,
        "also": list(row.also),
        "ranks": row.sizes.text,
        "parameters": list(row.parameters),
        "defaults": _defaults(row),
        "takes": {parameter.name: _parameter(parameter) for parameter in row.takes},
        "in_network": row.nodes is not ranks_only,
        "function": f"{row.function.__module__}.{row.function.__name__}",
        "file": file,
        "line": line,
        "steps": row.form.steps,
        "messages": row.form.messages,
        "bytes": row.form.sent,
        "bytes_total": row.form.total,
        "letters": {letter.symbol: letter.meaning for letter in letters},
        "optimal": [OPTIMA[letter] for letter in row.form.optimal],
        "used_by": row.used_by,
        "same_bits_as": list(row.same_bits_as),
        "source": row.source,
    }


def _defaults(row: Row) -> dict[str, int | None]:
    """The default of each parameter; null where it depends on the number of ranks."""
    known: dict[str, int | None] = {"root": 0, "chunks": DEFAULT_CHUNKS}
    known |= {parameter.name: usual_default(parameter) for parameter in row.takes}
    return {name: known[name] for name in row.parameters}


def _parameter(parameter: Parameter) -> dict[str, Any]:
    return {
        "meaning": parameter.meaning,
        "rule": parameter.rule,
        "default_for": {str(ranks): parameter.default(ranks) for ranks in SHOWN},
    }
