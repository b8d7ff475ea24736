"""What `collectives list COLLECTIVE ALGORITHM` prints: all there is to know about one algorithm."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from collectives.catalog import DEFAULT_CHUNKS, Parameter, Row
from collectives.catalog.parameters import plain
from collectives.text_lines import Heading, Lines, Paragraph
from collectives.theory.written import readable
from collectives.words import plural

OPTIMA = {
    "R": "steps",
    "B": "bytes_busiest_port",
    "T": "bytes_total",
}  # what equals its lower bound
COUNTED = (  # what a formula counts, of whom, and the letter of its lower bound
    ("steps", "", "R"),
    ("messages", "", "-"),
    ("sent", " by the busiest rank", "-"),
    ("", " by all", "T"),
)
SHOWN = (4, 8, 16, 64)  # numbers of ranks whose defaults are shown where they depend on it
EXAMPLE = 8  # ranks of an example


@dataclass(frozen=True)
class RowReport:
    """An algorithm of the catalog: what it takes, counts and comes from."""

    row: Row

    def lines(self) -> Lines:
        """All there is to know about it."""
        row = self.row
        yield Heading(row.heading)
        yield f"{row.promise.sentence}."
        yield row.idea
        yield ""
        printed = ""
        for what, text in row_facts(row):
            if text:
                yield Paragraph(text, f"  {'' if what == printed else what}", 15)
                printed = what
        yield ""
        yield f"collectives run {row.promise.title} {row.algorithm} -n {_example(row)}"

    def as_json(self) -> list[dict[str, Any]]:
        """The same as values: a list of one, as several would be."""
        return [row_values(self.row)]


def row_facts(row: Row) -> Iterator[tuple[str, str]]:
    """What is said of an algorithm below its name: about what, and the text, or nothing."""
    yield "also called", ", ".join(row.also)
    yield "ranks", row.sizes.text
    for text in _parameters(row):
        yield "takes", text
    usual = " with the default parameters" if any(not take.unsaid for take in row.takes) else ""
    several = row.form.with_channels or row.form.in_ways or row.form
    where = "in other ways" if row.form.in_ways else "in several channels"
    for (what, who, letter), *formulas in zip(COUNTED, row.form.text, several.text, strict=True):
        bound = f"; equals its lower bound{usual}" if letter in row.form.optimal else ""
        texts = dict.fromkeys(map(readable, formulas))
        yield what, f"{f'; {where} '.join(texts)}{who}{bound}"
    if "B" in row.form.optimal:
        text = "the larger of sent and received by the busiest rank"
        some = usual if "B" in several.optimal or row.in_ways else " in one channel"
        yield "busiest port", f"{text}; equals its lower bound{some}"
    letters = dict.fromkeys((*row.letters(row.form.text), *several.every_letter))
    yield "where", "; ".join(f"{letter.symbol}: {letter.meaning}" for letter in letters)
    yield "memory", _memory(row)
    yield "used by", row.used_by
    same = "; ".join(row.same_bits_as)
    yield "adds like", f"{same}: floats end with the same bits" if same else ""
    yield "source", row.source
    file, line = source_place(row)
    yield "function", f"{row.function.__name__}, {file} line {line}"


def source_place(row: Row) -> tuple[str, int]:
    """The file of an algorithm's function, from its package on, and the line it starts at."""
    file = row.function.__module__.replace(".", "/") + ".py"
    return file, inspect.getsourcelines(row.function)[1]


def _parameters(row: Row) -> Iterator[str]:
    """The arguments beside the number of ranks, in words."""
    if "root" in row.parameters:
        yield "--root R, any rank (default 0)"
    if "chunks" in row.parameters:
        yield f"--chunks C, chunks of the pipeline (default {DEFAULT_CHUNKS})"
    for parameter in row.takes:
        some = ", ".join(f"{parameter.default(ranks, {})} if N={ranks}" for ranks in SHOWN)
        if parameter.ways:
            first = parameter.default(1, {})
            text = f"{parameter.meaning}: {parameter.rule}"
            yield f"-p {parameter.name}=NAME, {text} (default {first})"
            continue
        value = usual_default(parameter)
        alone = parameter.default(1, {})
        alternative = "" if alone == value else f", or {alone} if N=1"
        usual = f"default {some if value is None else f'{value}{alternative}'}"
        yield f"-p {parameter.name}=VALUE, {parameter.meaning}: {parameter.rule} ({usual})"


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


def usual_default(parameter: Parameter) -> int | None:
    """The default that is the same for any number of ranks; None if there is none."""
    defaults = {parameter.default(ranks, {}) for ranks in range(2, SHOWN[-1] + 1)}
    return defaults.pop() if len(defaults) == 1 else None


def row_values(row: Row) -> dict[str, Any]:
    """All that is known of an algorithm; a default is null where it depends on N."""
    file, line = source_place(row)
    letters = row.letters(row.form.text)
    defaults = plain({parameter.name: usual_default(parameter) for parameter in row.takes})
    defaults |= {"root": 0, "chunks": DEFAULT_CHUNKS}
    return {
        "collective": row.collective,
        "algorithm": row.algorithm,
        "also": list(row.also),
        "ranks": row.sizes.text,
        "parameters": list(row.parameters),
        "defaults": {name: defaults[name] for name in row.parameters},
        "takes": {
            parameter.name: {
                "meaning": parameter.meaning,
                "rule": parameter.rule,
                "default_for": plain({str(n): parameter.default(n, {}) for n in SHOWN}),
            }
            for parameter in row.takes
        },
        "calls": row.promise.calls.named,
        "in_network": row.in_network,
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
