"""An algorithm of a comparison, with parameters of its own behind a colon: ring:channels=8."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from collectives.catalog import Row, find_row
from collectives.catalog.parameters import way_named, ways_named
from collectives.errors import BadInput
from collectives.words import nearest, quoted

CHUNKS = "chunks"
USUAL_RANKS = 8  # for which a hint names a value of a parameter


@dataclass(frozen=True)
class Variant:
    """An algorithm of the catalog; its parameters and chunks go before those of all.

    >>> variant_of("all_reduce", "ring:channels=8").taken({"channels": 2})
    {'channels': 8}
    """

    row: Row
    parameters: Mapping[str, int] = field(default_factory=dict)
    chunks: int | None = None

    @property
    def text(self) -> str:
        """As the command line takes it."""
        pairs = ",".join(f"{name}={value}" for name, value in self.own.items())
        return f"{self.row.algorithm}:{pairs}" if pairs else self.row.algorithm

    @property
    def own(self) -> dict[str, int]:
        """What it sets itself."""
        return {**self.parameters, **({} if self.chunks is None else {CHUNKS: self.chunks})}

    @property
    def names(self) -> list[str]:
        """What can stand behind its colon: its parameters, and chunks of a pipeline."""
        return [*(take.name for take in self.row.takes), *[CHUNKS] * self.is_pipelined]

    @property
    def open_names(self) -> set[str]:
        """Those of them that it does not set itself."""
        return {*self.names} - {*self.own}

    @property
    def is_pipelined(self) -> bool:
        """Whether the number of its chunks can be chosen."""
        return CHUNKS in self.row.parameters

    def taken(self, shared: Mapping[str, int]) -> dict[str, int]:
        """Its parameters: those of all that it takes, and its own."""
        return {**self.row.taken(shared), **self.parameters}

    def chunks_of(self, shared: int | None) -> int | None:
        """Its chunks, else those of all pipelines; None where it is none."""
        return (shared if self.chunks is None else self.chunks) if self.is_pipelined else None

    def check(self, ranks: int) -> None:
        """Raise BadInput, naming the word, for a value of its own that so many ranks refuse."""
        for take in self.row.takes:
            try:
                take.checked(ranks, self.parameters)
            except BadInput as problem:
                value = self.parameters[take.name]
                why = str(problem).removeprefix(f"{take.name} {value}")
                text = f"{self.row.algorithm}:{take.name}={value}"
                raise BadInput(f"{text}{why}") from None

    @property
    def hint(self) -> str:
        """The same with a parameter of its own, to name it beside itself; nothing without one."""
        for take in self.row.takes:
            usual = take.default(USUAL_RANKS, {})
            values = (n for n in range(USUAL_RANKS + 1) if take.accepts(USUAL_RANKS, n))
            for value in values:
                if value != usual:
                    text = take.way(value) if take.ways else value
                    return f"{self.row.algorithm}:{take.name}={text}"
        return f"{self.row.algorithm}:{CHUNKS}=8" if self.is_pipelined else ""


def is_variant(word: str) -> bool:
    """Whether a word has parameters behind its colon, and no function.

    >>> is_variant("ring:channels=8"), is_variant("ring:8"), is_variant("mine.py:my_all_reduce")
    (True, True, False)
    """
    _, colon, text = word.rpartition(":")
    return bool(colon) and ("=" in text or text.isdigit())


def variant_of(collective: str, word: str) -> Variant:
    """The algorithm that a word names; raises BadInput for one that is not known, or its values."""
    name, colon, text = word.partition(":")
    row, parameters = find_row(collective, name), dict[str, int]()
    known = Variant(row).names
    for pair in text.split(",") if colon else ():
        match = re.fullmatch(r"\s*([A-Za-z_]\w*)\s*=\s*([0-9]{1,18}|[a-z]+)\s*", pair)
        if colon and not known:
            raise BadInput(f"{quoted(word)}: {row.title} has no parameters; try: {name}")
        way = way_named(match[1], match[2]) if match else None
        if match and way is None and match[1] in known and (names := ways_named(match[1])):
            hint = nearest(match[2], names)
            raise BadInput(f"{quoted(word)}: {match[1]} {match[2]} is unknown; {hint}")
        if not match or (way is None and match[2].isalpha()):
            near = Variant(row).hint
            raise BadInput(f"{quoted(word)}: {pair!r} must be NAME=INTEGER; try: {near}")
        if match[1] not in known:
            hint = nearest(match[1], known)
            raise BadInput(f"{quoted(word)}: {row.title} has no parameter {match[1]!r}; {hint}")
        if match[1] in parameters:
            raise BadInput(f"{quoted(word)}: {match[1]} is given twice; leave one out")
        parameters[match[1]] = int(match[2]) if way is None else way
    chunks = parameters.pop(CHUNKS, None)
    if chunks == 0:
        raise BadInput(f"{quoted(word)}: chunks must be 1 or more; try: {name}:{CHUNKS}=1")
    return Variant(row, parameters, chunks)
