"""Does what `compare` is asked for: algorithms side by side, as a film, a picture or a page."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from collectives.catalog import ROWS, Row, find_row
from collectives.catalog.row import ranks_only
from collectives.cli.drawable import MOST_DRAWN, MOST_SHOWN, check_drawn
from collectives.cli.placed import placed
from collectives.cli.subject import Subject
from collectives.collective import find_collective
from collectives.cost.choose.setup import Setup
from collectives.cost.fault_texts import Faults
from collectives.cost.where import Where
from collectives.errors import BadInput
from collectives.files import check_writable
from collectives.progress import counted, under_way
from collectives.recording.recording import Recording
from collectives.units import time_text
from collectives.words import listed, nearest

if TYPE_CHECKING:
    from animations.story.comparison import Comparison

FEWEST, MOST_ALGORITHMS = 2, 4  # algorithms
WELL_KNOWN = ("ring", "tree", "pairwise", "bruck")  # that are suggested first
MOST_RANKS = 64  # of a comparison
USUAL_RANKS, USUAL_SIZE = 4, 64 << 20
ROUNDED = 5e-3  # of a time, as it is written


def compare_algorithms(
    subject: Subject,
    where: Where,
    faults: Faults,
    at: float | None,
    output: str | None,
    quality: str,
    theme: str | None,
    language: str,
    no_cache: bool,
) -> None:
    """`collectives compare`: write the file, print its path last."""
    rows = chosen_rows(subject.words)
    ranks = _ranks(rows, where, subject.ranks)
    path = output or default_name(rows, ranks)
    if at is not None and not path.endswith(".png"):
        raise BadInput(f"--at: {path} shows all times; try: -o FILE.png")
    if path.endswith(".html") and language != "en":
        raise BadInput(f"--language {language}: pages are in English; try: --language en")
    subjects = _subjects(rows, replace(subject, ranks=ranks))
    where = where if where.is_given else replace(where, name=_machine(rows, subjects))
    recordings = [placed(subject, where, change=faults.of)[0] for subject in subjects]
    named = listed([row.algorithm for row in rows])
    for each, recording in zip(subjects, recordings, strict=True):
        check_drawn(each, recording, MOST_SHOWN if path.endswith(".html") else MOST_DRAWN)
    check_writable(path)
    setup = replace(where.named(where.setup()), as_asked=bool(faults.dead))
    with under_way(f"timing {named}"):
        shown = _compared(recordings, setup, faults, language)
    if path.endswith(".html"):
        troubled = faults.of(setup, ranks) if faults else None
        _write_page(recordings, shown, path, theme, troubled)
    else:
        _draw(shown, path, at, quality, theme or "dark", no_cache)
    print(path)


def chosen_rows(words: Sequence[str]) -> list[Row]:
    """The rows that COLLECTIVE ALGORITHM ALGORITHM … names, two to four, none of them twice."""
    name, given = find_collective(words[0]).name, words[1:]
    known = [row.algorithm for row in ROWS if row.collective == name]
    title = find_collective(name).title
    if find_collective(name).paired:
        raise BadInput(f"{title}: its algorithms send different things; try: all-to-all")
    rows = [find_row(name, algorithm) for algorithm in given]
    taken = [row.algorithm for row in rows]
    others = [each for each in known if each not in taken]
    others.sort(key=lambda each: each not in WELL_KNOWN)
    for row in rows:
        if taken.count(row.algorithm) > 1:
            other = listed(others, 6, "or")
            raise BadInput(f"{row.algorithm} is given twice; leave one out, or choose from {other}")
    if len(rows) < FEWEST and others:
        named, more = " ".join([title, *taken]), " ".join(others[: FEWEST - len(rows)])
        raise BadInput(
            f"{named}: name {FEWEST} to {MOST_ALGORITHMS} algorithms; try: {named} {more}"
        )
    if len(rows) < FEWEST:
        raise BadInput(f"{title} has one algorithm only; try: all-reduce ring tree")
    if len(rows) > MOST_ALGORITHMS:
        few = " ".join(taken[:MOST_ALGORITHMS])
        raise BadInput(
            f"{len(rows)} algorithms: at most {MOST_ALGORITHMS} fit side by side; try: {few}"
        )
    return rows


def default_name(rows: Sequence[Row], ranks: int) -> str:
    """The file in this folder a comparison goes to: ring-tree-all-reduce-8.mp4."""
    names = "-".join(row.algorithm for row in rows)
    return f"{names}-{rows[0].promise.title}-{ranks}.mp4"


def _ranks(rows: Sequence[Row], where: Where, given: int | None) -> int:
    """As many ranks as are asked for, else as the machine has, which every algorithm takes."""
    ranks = where.ranks(given) or USUAL_RANKS
    if ranks > MOST_RANKS:
        raise BadInput(
            f"-n {ranks}: a comparison shows 2 to {MOST_RANKS} ranks; try: -n {MOST_RANKS}"
        )
    common = [n for n in range(2, MOST_RANKS + 1) if all(row.accepts(n) for row in rows)]
    if ranks in common:
        return ranks
    if not common:
        raise BadInput(f"{listed([row.algorithm for row in rows])}: no number of ranks fits all")
    near = min(common, key=lambda n: (abs(n - ranks), n))
    refusing = next((row for row in rows if not row.accepts(ranks)), None)
    why = f"{refusing.title} takes {refusing.sizes.text} only" if refusing else "nothing moves"
    raise BadInput(f"-n {ranks}: {why}; try: -n {near}")


def _subjects(rows: Sequence[Row], asked: Subject) -> list[Subject]:
    """What each algorithm is asked for; options of some go to those that take them."""
    promise = rows[0].promise
    known = {taken.name for row in rows for taken in row.takes}
    for name, value in asked.parameters.items():
        if name not in known:
            hint = nearest(name, sorted(known)) if known else "leave it out"
            raise BadInput(f"-p {name}={value}: none of these algorithms takes it; {hint}")
    if asked.chunks is not None and not any("chunks" in row.parameters for row in rows):
        raise BadInput(
            f"--chunks {asked.chunks}: none of these algorithms is pipelined; leave it out"
        )
    asked.refuse_root(promise)
    asked.refuse_size(promise)
    return [
        replace(
            asked.named(row.collective, row.algorithm),
            size=USUAL_SIZE if asked.size is None and promise.moves_data else asked.size,
            chunks=asked.chunks if "chunks" in row.parameters else None,
            parameters=row.taken(asked.parameters),
        )
        for row in rows
    ]


def _machine(rows: Sequence[Row], subjects: Sequence[Subject]) -> str:
    """The name of the usual machine: an hgx-h100, a cluster of them, or where all of them run."""
    from animations.story.usual import usual_name

    if any(row.nodes is not ranks_only and row.helpers == "server" for row in rows):
        return "crossbar"  # where each server has a port of its own
    ranks = subjects[0].ranks or USUAL_RANKS
    gpus = [
        subject.recording("uint8", executed=False).parameters.get("gpus") for subject in subjects
    ]
    inner = next((given for given in gpus if given and given < ranks and ranks % given == 0), 0)
    usual = f"cluster:gpus={inner}" if inner else usual_name(ranks)
    for name in (usual, "nvl72", "switch-tree", "crossbar"):
        try:
            for subject in subjects:
                placed(subject, Where(name))
        except BadInput:
            continue
        return name
    return usual


def _compared(
    recordings: Sequence[Recording], setup: Setup, faults: Faults, language: str
) -> Comparison:
    """The comparison on a machine with these faults."""
    from animations.story.comparison import compared
    from animations.story.contender import Trouble

    size = recordings[0].count * recordings[0].dtype.itemsize
    if not faults:
        return compared(recordings, setup, size, language)
    clean = tuple(setup.time(recording).total for recording in recordings)
    trouble = Trouble(str(faults), faults.kinds, clean)
    return compared(recordings, faults.of(setup, recordings[0].ranks), size, language, trouble)


def _draw(
    shown: Comparison, path: str, at: float | None, quality: str, theme: str, no_cache: bool
) -> None:
    """Render the film, or the picture."""
    from collectives.cli.rendering import rendering

    still = path.endswith(".png")

    if at is not None and at > shown.seconds * (1 + ROUNDED):
        whole = time_text(shown.seconds, 3)
        limit = whole.replace(" ", "").replace("µ", "u")
        why = "all are done" if all(each.ends for each in shown.contenders) else "nothing moves"
        raise BadInput(f"--at {time_text(at)}: {why} after {whole}; try: --at {limit}")
    with rendering(quality, theme, cache=not no_cache) as render:
        from animations.score.comparison import score_of_comparison, still_of_comparison

        with under_way(f"preparing {Path(path).name}"):
            score = still_of_comparison(shown, at) if still else score_of_comparison(shown)
        render(score, path)
    if not still:
        print(f"subtitles: {Path(path).with_suffix('.srt')}", file=sys.stderr)


def _write_page(
    recordings: Sequence[Recording],
    shown: Comparison,
    path: str,
    theme: str | None,
    troubled: Setup | None,
) -> None:
    """A page in which one of the algorithms is chosen, with the times of all of them.

    troubled: the machine where it has trouble, which is seen in modeled time.
    """
    from animations.player.catalog import write_catalog
    from animations.story.halted import up_to_standstill
    from animations.story.usual import usual_board

    time = None if troubled is None else troubled.both_clocks
    pairs = list(zip(recordings, shown.contenders, strict=True))
    boards = [
        usual_board(recording, each.timed.timing.topology, time=time)
        for recording, each in counted(pairs, f"preparing {path}", len(pairs), "algorithms")
    ]
    if time is not None:
        boards = [up_to_standstill(board) for board in boards]
    write_catalog(list(zip(recordings, boards, strict=True)), path, theme, shown)
