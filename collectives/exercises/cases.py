"""Which algorithm an exercise is about, on how many ranks, and its steps as printed text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from random import Random

from collectives.catalog import ROWS, Row
from collectives.errors import BadInput
from collectives.questions.facts import Facts
from collectives.recording.recorder import record
from collectives.recording.recording import Recording
from collectives.words import capital, nearest, plural, quoted, ranges

RANKS = (4, 5, 6, 7, 8)
PIPELINE = 3  # chunks
MOST_ROWS = 64  # transfers of a schedule that is printed
LONGEST = 100  # letters of a printed step
SETTINGS = {"gpus": "nodes of {}", "nodes": "{} nodes", "rows": "{} rows", "columns": "{} columns"}
LEGEND = (
    "a→b +c: rank a sends its chunk c to rank b, which adds it to its own; a→b =c: which "
    "overwrites its own; c-d are chunks c to d."
)


@dataclass(frozen=True)
class ExerciseCase:
    """A recorded algorithm that exercises are made of."""

    recording: Recording
    facts: Facts

    @property
    def title(self) -> str:
        """Ring all-reduce on 4 ranks; of an algorithm with groups also of how many."""
        groups = [SETTINGS.get(name, name + " {}").format(n) for name, n in self.settings.items()]
        return ", ".join((f"{self.recording.heading} {self.where}", *groups))

    @property
    def settings(self) -> dict[str, int]:
        """The algorithm's further arguments, without those of a pipeline."""
        return {name: n for name, n in self.recording.parameters.items() if name != "chunks"}

    @property
    def collective_title(self) -> str:
        """All-reduce on 4 ranks: of a question about all its algorithms."""
        return f"{capital(self.recording.collective.title)} {self.where}"

    @property
    def where(self) -> str:
        """On how many ranks, and which is the root where there is one."""
        recording = self.recording
        root = f" with root {recording.root}" if recording.collective.rooted else ""
        return f"on {plural(recording.ranks, 'rank')}{root}"

    @property
    def is_printable(self) -> bool:
        """Whether all steps fit on paper, each slot under one number at both ends."""
        recording = self.recording
        if recording.nodes > recording.ranks or recording.counters.rows > MOST_ROWS:
            return False
        rows = [row for step in range(1, self.facts.last + 1) for row in self.facts.rows(step)]
        return all(chunk == into for _, _, chunk, into, _ in rows) and all(
            len(line) <= LONGEST for line in self.printed()
        )

    def printed(self, first: int = 1, last: int | None = None) -> list[str]:
        """The steps from the first to the last, each as a line."""
        last = self.facts.last if last is None else last
        return [
            f"step {number}:  {transfers(self.facts.rows(number))}"
            for number in range(first, last + 1)
        ]


def transfers(rows: Iterable[tuple[int, int, int, int, bool]]) -> str:
    """The transfers of a step on one line, consecutive chunks of one message together.

    >>> transfers([(0, 1, 3, 3, True), (0, 1, 4, 4, True), (1, 2, 0, 0, False)])
    '0→1 +3,4   1→2 =0'
    """
    by_link: dict[str, list[int]] = {}
    for src, dst, chunk, _, adds in rows:
        by_link.setdefault(f"{src}→{dst} {'+' if adds else '='}", []).append(chunk)
    parts = [link + ranges(chunks).replace(", ", ",") for link, chunks in by_link.items()]
    return "   ".join(parts)


def rows_of(topic: str) -> list[Row]:
    """The rows of the catalog that a topic names, in both spellings; all for "".

    Ring is every ring, all-reduce every all-reduce, and "all-reduce ring" one of them. Raises
    BadInput for a topic that names none.
    """
    wanted = set(topic.lower().replace("_", "-").split())
    rows = [row for row in ROWS if wanted <= _words(row)]
    if not rows:
        names = sorted(set().union(*map(_words, ROWS)))
        unknown = sorted(wanted - set(names))
        if not unknown:
            raise BadInput(f"no algorithm is {quoted(topic)}; try: {topic.split()[0]}")
        near = nearest(unknown[0], names)
        raise BadInput(f"no algorithm or collective is {quoted(unknown[0])}; {near}")
    usable = [row for row in rows if row.promise.moves_data and not row.promise.routed]
    if not usable:
        raise BadInput(
            f"{topic}: exercises are of collectives that move data by a fixed plan; try: all-reduce"
        )
    return usable


def _words(row: Row) -> set[str]:
    return {row.algorithm, row.collective.replace("_", "-")}


def cases(topic: str, random: Random) -> Iterator[ExerciseCase]:
    """The rows of a topic in random order, then again with another number of ranks, and so on."""
    rows = rows_of(topic)
    rows = random.sample(rows, len(rows))
    accepted = {row.title: [n for n in RANKS if row.accepts(n)] for row in rows}
    numbers = {title: random.sample(ranks, len(ranks)) for title, ranks in accepted.items()}
    for turn in range(len(RANKS)):
        for row in rows:
            if turn < len(numbers[row.title]):
                yield from _case(row, numbers[row.title][turn], random)


def _case(row: Row, ranks: int, random: Random) -> Iterator[ExerciseCase]:
    """A row on so many ranks, if there is anything to do."""
    root = random.randrange(ranks) if row.promise.rooted else 0
    chunks = PIPELINE if "chunks" in row.parameters else None
    recording = record(row.collective, row.algorithm, ranks=ranks, root=root, chunks=chunks)
    case = ExerciseCase(recording, Facts(recording))
    # groups of one rank or of all are none
    if recording.counters.steps and not {1, ranks} & {*case.settings.values()}:
        yield case
