"""What is compared: two to four subjects of one collective, on as many ranks and bytes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import compress
from pathlib import Path

from collectives.catalog import ROWS, Row
from collectives.collective import Collective, find_collective
from collectives.comparison.comparison import Comparison, Contender, compare_recordings
from collectives.comparison.variant import CHUNKS, Variant, variant_of
from collectives.cost.choose.chunks import best_chunks
from collectives.cost.choose.setup import Setup, resized, sized
from collectives.cost.fault_texts import NO_FAULTS, Faults
from collectives.cost.machines.named import DEFAULT, UNITS
from collectives.cost.machines.usual import USUAL_SIZE, names_to_try, slowest_way
from collectives.cost.where import Where
from collectives.errors import BadInput
from collectives.formats import load, suffix_of
from collectives.progress import under_way
from collectives.proof.own_algorithm import OwnAlgorithm
from collectives.proof.prove import refuse_wrong, verdict_on
from collectives.recording.recording import Recording
from collectives.units import size_text
from collectives.words import brief, listed, nearest

FEWEST, MOST_COMPARED = 2, 4  # subjects
WELL_KNOWN = ("ring", "tree", "pairwise", "bruck")  # that are suggested first
MOST_RANKS = 1 << 12
USUAL_RANKS = 4
Entry = Variant | Recording | OwnAlgorithm


def entries_of(subjects: Iterable[object]) -> list[Entry]:
    """What the subjects mean; raises BadInput.

    A text is the collective, an algorithm of it once that is named, which may have parameters
    behind a colon, or a file of a format.
    """
    promise, entries = None, list[Entry]()
    for subject in subjects:
        if isinstance(subject, Variant | Recording | OwnAlgorithm):
            entries.append(subject)
        elif isinstance(subject, Row):
            entries.append(Variant(subject))
        elif isinstance(subject, Path) or (isinstance(subject, str) and suffix_of(subject)):
            entries.append(load(subject))
        elif callable(subject):
            entries.append(OwnAlgorithm(subject))
        elif not isinstance(subject, str):
            near = 'compare("all_reduce", "ring", "tree")'
            raise BadInput(f"{brief(subject)}: no algorithm, function or recording; try: {near}")
        elif promise is None:
            promise = _comparable(find_collective(subject))
        else:
            entries.append(variant_of(promise.name, subject))
    _check_number(entries, promise)
    return entries


def _comparable(promise: Collective) -> Collective:
    """The same; raises BadInput where its algorithms do not do the same."""
    if promise.paired:
        raise BadInput(f"{promise.title}: its algorithms send different things; try: all-to-all")
    return promise


def _check_number(entries: Sequence[Entry], promise: Collective | None) -> None:
    """Raise BadInput for too few or too many, and for an algorithm that is named twice."""
    name = "all_reduce" if promise is None else promise.name
    variants = [entry for entry in entries if isinstance(entry, Variant)]
    taken, named = (
        [variant.text for variant in variants],
        {variant.row.algorithm for variant in variants},
    )
    others = [r.algorithm for r in ROWS if r.collective == name and r.algorithm not in named]
    others.sort(key=lambda name: name not in WELL_KNOWN)
    for place, wanted in enumerate(variants):
        if wanted in variants[:place]:
            hint = wanted.row.algorithm if wanted.own else wanted.hint
            near = f"try: {wanted.text} {hint}" if hint else ""
            near = near or f"leave one out, or choose from {listed(others, 6, 'or')}"
            raise BadInput(f"{wanted.text} is given twice; {near}")
    title = find_collective(name).title
    if len(entries) < FEWEST:
        if not others:
            raise BadInput(f"{title} has one algorithm only; try: all-reduce ring tree")
        words = " ".join([title, *taken])
        more = " ".join(others[: FEWEST - len(entries)])
        raise BadInput(f"{words}: name {FEWEST} to {MOST_COMPARED} algorithms; try: {words} {more}")
    if len(entries) > MOST_COMPARED:
        few = " ".join(taken[:MOST_COMPARED]) or "fewer"
        number = len(entries)
        raise BadInput(f"{number} algorithms: at most {MOST_COMPARED} fit side by side; try: {few}")


def argument(name: str, value: object) -> str:
    """A value as Python's refusals name it.

    >>> argument("ranks", 3)
    'ranks=3'
    """
    return f"{name}={value}"


@dataclass(frozen=True)
class ComparisonRequest:
    """What is compared; None where not given. parameters: of all algorithms that take them.

    most_ranks: the limit, as of a picture. spelled: a value by its name, as refusals write it.
    is_drawn: a pipeline has few chunks then, and else the fastest number where none is asked for.
    """

    entries: Sequence[Entry]
    ranks: int | None = None
    root: int | None = None
    size: int | None = None
    chunks: int | None = None
    parameters: Mapping[str, int] = field(default_factory=dict)
    most_ranks: int = MOST_RANKS
    spelled: Callable[[str, object], str] = argument
    is_drawn: bool = False

    @property
    def variants(self) -> list[Variant]:
        """The algorithms of the catalog among them."""
        return [entry for entry in self.entries if isinstance(entry, Variant)]

    @property
    def rows(self) -> list[Row]:
        """Their rows."""
        return [variant.row for variant in self.variants]

    def on(self, where: Where, faults: Faults = NO_FAULTS) -> Comparison[Contender]:
        """The comparison there; without a machine on the usual one that all of them run on."""
        return self.compared(*self.placed(where, faults), faults)

    def compared(
        self, recordings: Sequence[Recording], setup: Setup, faults: Faults
    ) -> Comparison[Contender]:
        """The same of recordings that are placed."""
        names = listed([recording.algorithm for recording in recordings])
        why = [self._why_chunks(entry) for entry in self.entries]
        asked = [
            {*entry.taken(self.parameters)} if isinstance(entry, Variant) else set[str]()
            for entry in self.entries
        ]
        with under_way(f"timing {names}"):
            return compare_recordings(recordings, setup, faults, asked, why)

    def _is_open(self, entry: Entry) -> bool:
        """Whether it is a pipeline of which nobody asks for a number of chunks."""
        if not isinstance(entry, Variant) or not entry.is_pipelined:
            return False
        return entry.chunks_of(self.chunks) is None

    def _why_chunks(self, entry: Entry) -> str:
        """Why it has as many chunks as it has; empty where so many are asked for."""
        if not self._is_open(entry):
            return ""
        if self.is_drawn:
            return ", few enough to be seen; without a picture, about the fastest number"
        return ", about the fastest number at this size"

    def placed(self, where: Where, faults: Faults = NO_FAULTS) -> tuple[list[Recording], Setup]:
        """The recordings of all of them, and where they are timed; raises as `on` does."""
        ranks = self.ranks_on(where)
        self._check_options(ranks)
        if where.is_given:
            return self._recordings(where, ranks, faults), where.named(where.setup())
        *first, last = self._usual(where, ranks)
        for there in first:
            try:
                self._recordings(there, ranks, NO_FAULTS)
            except BadInput:
                continue
            return replace(self, ranks=ranks).placed(there, faults)
        return replace(self, ranks=ranks).placed(last, faults)

    def _usual(self, where: Where, ranks: int) -> Iterator[Where]:
        """The machines to try, as pictures of each of the algorithms are timed on them."""
        pairs = [(variant.row, variant.taken(self.parameters)) for variant in self.variants]
        settings = [row.setting(ranks, parameters=taken) for row, taken in pairs]
        own = (setting.parameters.get("gpus", 0) for setting in settings)
        inner = next((number for number in own if 0 < number < ranks), 0)
        rows = [row for row, _ in pairs]
        helped = [row.nodes(setting) > ranks for row, setting in zip(rows, settings, strict=True)]
        helping = list(compress(rows, helped))
        names = names_to_try(ranks, inner, self.parameters.get("gpus", 0), bool(helping))
        if any(row.helpers == "server" for row in helping):
            figures = zip(UNITS, slowest_way(ranks, names[0]), strict=True)
            links = [f"{link}={UNITS[link][2](figure)}" for link, figure in figures]
            names = [f"{DEFAULT}:{','.join(links)}".replace(" ", "").replace("µ", "u")]
        return (replace(where, name=name) for name in names)

    def ranks_on(self, where: Where) -> int:
        """As many ranks as are asked for, else those of recordings, else the machine's."""
        fixed = {entry.ranks for entry in self.entries if isinstance(entry, Recording)}
        if len(fixed) > 1:
            first, *_, last = sorted(fixed)
            raise BadInput(f"recordings on {first} and {last} ranks: must be as many; try: {last}")
        own = next(iter(fixed), None)
        if own is not None and self.ranks not in (None, own):
            asked, fits = (self.spelled("ranks", number) for number in (self.ranks, own))
            raise BadInput(f"{asked}: a recording has {own} ranks; try: {fits}")
        ranks = own or where.ranks(self.ranks) or USUAL_RANKS
        if ranks > self.most_ranks:
            limit = self.most_ranks
            asked, fits = (self.spelled("ranks", number) for number in (ranks, limit))
            raise BadInput(f"{asked}: a comparison shows 2 to {limit} ranks; try: {fits}")
        refusing = next((row for row in self.rows if not row.accepts(ranks)), None)
        if ranks > 1 and refusing is None:
            return ranks
        numbers = range(2, self.most_ranks + 1)
        common = [n for n in numbers if all(row.accepts(n) for row in self.rows)]
        if not common:
            names = listed([row.algorithm for row in self.rows])
            raise BadInput(f"{names}: no number of ranks fits all")
        near = min(common, key=lambda n: (abs(n - ranks), n))
        why = f"{refusing.title} takes {refusing.sizes.text} only" if refusing else "nothing moves"
        asked = self.spelled("ranks", ranks)
        raise BadInput(f"{asked}: {why}; try: {self.spelled('ranks', near)}")

    def _check_options(self, ranks: int) -> None:
        """Raise BadInput for options that none takes, and for different collectives."""
        first, *others = (self._promise(entry, ranks) for entry in self.entries)
        for rival in others:
            if rival.name != first.name:
                what = f"{first.title} and {rival.title}"
                raise BadInput(f"{what}: must be one collective; try: {first.title} twice")
        if self.size and not first.moves_data:
            size = size_text(self.size).replace(" ", "")
            raise BadInput(f"{self.spelled('size', size)}: a barrier moves no data; leave it out")
        self._check_shared()
        for variant in self.variants:
            variant.check(ranks)
        if self.root and not first.rooted:
            asked = self.spelled("root", self.root)
            raise BadInput(f"{asked}: {first.title} has no root; leave it out")
        roots = sorted({entry.root for entry in self.entries if isinstance(entry, Recording)})
        if len(roots) > 1:
            which = f"recordings with roots {listed(list(map(str, roots)))}"
            raise BadInput(f"{which}: must have one root; record them with root {roots[0]}")
        for root in {*roots} - {self._root}:
            asked, near = self.spelled("root", self._root), self.spelled("root", root)
            raise BadInput(f"{asked}: a recording has another; try: {near}")

    def _check_shared(self) -> None:
        """Raise BadInput for a parameter, or chunks, of all that none of them takes from here."""
        taken = {name for variant in self.variants for name in variant.names}
        free = {name for variant in self.variants for name in variant.open_names}
        chunks = {} if self.chunks is None else {CHUNKS: self.chunks}
        for name, value in {**self.parameters, **chunks}.items():
            if name in free:
                continue
            asked, near = self.spelled(name, value), "leave it out"
            if name in taken:
                raise BadInput(f"{asked}: each that takes it has its own; {near}")
            if name == CHUNKS:
                raise BadInput(f"{asked}: none of these algorithms is pipelined; {near}")
            if known := sorted(free - {CHUNKS}):
                near = nearest(name, known)
            raise BadInput(f"{asked}: none of these algorithms takes it; {near}")

    @property
    def _root(self) -> int:
        """The root that is asked for, else that of a recording."""
        roots = [entry.root for entry in self.entries if isinstance(entry, Recording)]
        return next(iter(roots), 0) if self.root is None else self.root

    def _promise(self, entry: Entry, ranks: int) -> Collective:
        if isinstance(entry, OwnAlgorithm):
            return entry.promise(ranks)
        return entry.row.promise if isinstance(entry, Variant) else entry.collective

    def _recordings(self, where: Where, ranks: int, faults: Faults) -> list[Recording]:
        """All of them for the same bytes; raises BadInput where one does not fit the machine."""
        plain = where.setup()
        setup = faults.of(plain, ranks)
        recordings = [self._recording(entry, ranks, setup) for entry in self.entries]
        for entry, recording in zip(self.entries, recordings, strict=True):
            if where.is_own or not isinstance(entry, Variant):
                where.check_room(recording, fixed=isinstance(entry, Recording))
            where.check_fits(recording, plain)
            if not isinstance(entry, Variant):
                refuse_wrong(verdict_on(recording))
        return recordings

    def _recording(self, entry: Entry, ranks: int, setup: Setup) -> Recording:
        """One of them for the bytes that are asked for."""
        promise = self._promise(entry, ranks)
        size = (USUAL_SIZE if self.size is None else self.size) if promise.moves_data else 0
        if isinstance(entry, Recording):
            return resized(entry, size)
        if isinstance(entry, OwnAlgorithm):
            return entry.record(ranks, self._root, count=size, dtype="uint8")
        filled = setup.fill(entry.row, ranks, entry.taken(self.parameters))
        chunks = entry.chunks_of(self.chunks)
        if self._is_open(entry) and not self.is_drawn:
            chunks = best_chunks(entry.row, ranks, size, setup, self._root, filled, True).best
        return sized(entry.row, ranks, size, chunks, self._root, filled)
