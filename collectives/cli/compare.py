"""Does what `compare` is asked for: joins a comparison with its drawing, or prints it."""

from __future__ import annotations

import sys
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from collectives.cli.console import say_report
from collectives.cli.drawable import MOST_DRAWN, MOST_SHOWN, check_drawn
from collectives.cli.edited import editings_of
from collectives.cli.file_subjects import RecordingSubject
from collectives.cli.subject import OwnSubject, Subject
from collectives.comparison.comparison import Comparison, Contender
from collectives.comparison.subjects import MOST_RANKS as MOST_COMPARED_RANKS
from collectives.comparison.subjects import ComparisonRequest, Entry, entries_of
from collectives.comparison.variant import Variant, is_variant
from collectives.cost.fault_texts import Faults
from collectives.cost.where import Where
from collectives.errors import BadInput
from collectives.files import check_writable, replacing
from collectives.progress import under_way
from collectives.recording.recording import Recording
from collectives.units import time_text

if TYPE_CHECKING:
    from animations.story.comparison import DrawnComparison

MOST_RANKS = 64  # of a picture of a comparison
ROUNDED = 5e-3  # of a time, as it is written
OPTIONS = {"ranks": "-n", "root": "--root", "size": "--size", "chunks": "--chunks"}


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
    edit: bool,
    as_json: bool,
) -> None:
    """`collectives compare`: print the comparison; write the file, if one is wanted, too."""
    path = output or ""
    _check_output(path, at, as_json, edit)
    with ExitStack() as stack:
        request = _request(subject, stack, bool(path))
        recordings, setup = request.placed(where, faults)
        setup = replace(setup, as_asked=setup.as_asked or edit)  # what is written has one ring
    drawn = [_subject_of(entry, subject, request) for entry in request.entries]
    if path:
        for one, recording in zip(drawn, recordings, strict=True):
            check_drawn(one, recording, MOST_SHOWN if path.endswith(".html") else MOST_DRAWN)
    comparison = request.compared(recordings, setup, faults)
    _check_at(comparison, at)
    _check_stops(comparison, path, faults)
    say_report(comparison, as_json)
    if not path:
        return
    with under_way("preparing the comparison"):
        from animations.story.comparison import drawn_comparison

        shown = drawn_comparison(comparison, language)
    if path.endswith(".html"):
        troubled = faults.of(setup, recordings[0].ranks) if faults else None
        if troubled is not None:  # what stops is drawn as it is recorded, in one ring
            troubled = replace(troubled, as_asked=bool(faults.dead))
        from animations.player.comparison_page import comparison_page

        editings = editings_of(subject.words, request.entries, recordings) if edit else ()
        text = comparison_page(shown, theme, troubled, editings)
        with replacing(path) as file:
            file.write(text.encode())
    else:
        _draw(shown, path, at, quality, theme or "dark", no_cache)
    print(path)


def _check_output(path: str, at: float | None, as_json: bool, edit: bool) -> None:
    """Raise BadInput, before any work, for options that a file does not take, and for the file."""
    if edit and not path.endswith(".html"):
        raise BadInput(f"--edit: {path or 'the terminal'} has no editor; try: -o race.html")
    if at is not None and not path.endswith(".png"):
        why = f"{path} shows all times" if path else "a picture shows one time, and none is written"
        raise BadInput(f"--at: {why}; try: -o FILE.png")
    if as_json and path:
        raise BadInput(f"--json: with -o {path} its name is printed, too; leave one of them out")
    if path:
        check_writable(path)


def _check_at(comparison: Comparison[Contender], at: float | None) -> None:
    """Raise BadInput for a time after which nothing happens."""
    if at is not None and at > comparison.seconds * (1 + ROUNDED):
        whole = time_text(comparison.seconds, 3)
        limit = whole.replace(" ", "").replace("µ", "u")
        why = "all are done" if all(one.ends for one in comparison.contenders) else "nothing moves"
        raise BadInput(f"--at {time_text(at)}: {why} after {whole}; try: --at {limit}")


def _check_stops(comparison: Comparison[Contender], path: str, faults: Faults) -> None:
    """Raise BadInput for a page on a ring that a dead link stops in a channel that is not drawn."""
    for one in comparison.contenders if path.endswith(".html") else ():
        if one.timed.timing.one_ring is not None and not one.ends:
            channels = one.timed.timing.recording.setting.channels
            raise BadInput(
                f"--dead {faults.dead[0]}: no message of the ring that a page shows, 1 of "
                f"{channels} channels, takes this link; try: -o FILE.mp4"
            )


def _request(subject: Subject, stack: ExitStack, is_drawn: bool) -> ComparisonRequest:
    """What the words mean; functions of one's own run in other processes until the stack ends."""
    words = [
        stack.enter_context(OwnSubject((word,)).own())
        if ":" in word and not is_variant(word)
        else word
        for word in subject.words
    ]
    asked = subject.ranks, subject.root, subject.size, subject.chunks, subject.parameters
    limit = MOST_RANKS if is_drawn else MOST_COMPARED_RANKS
    return ComparisonRequest(entries_of(words), *asked, limit, _option, is_drawn)


def _option(name: str, value: object) -> str:
    """A value as the command line's refusals name it: -n 3, -p radix=3."""
    return f"{OPTIONS[name]} {value}" if name in OPTIONS else f"-p {name}={value}"


def _subject_of(entry: Entry, subject: Subject, request: ComparisonRequest) -> Subject:
    """What a refusal to draw speaks of."""
    if isinstance(entry, Variant):
        chunks, own = entry.chunks_of(subject.chunks), entry.taken(request.parameters)
        named = subject.named(entry.row.collective, entry.row.algorithm)
        return replace(named, chunks=chunks, parameters=own)
    return RecordingSubject(()) if isinstance(entry, Recording) else OwnSubject(())


def _draw(
    shown: DrawnComparison, path: str, at: float | None, quality: str, theme: str, no_cache: bool
) -> None:
    """Render the film, or the picture."""
    from collectives.cli.rendering import rendering

    still = path.endswith(".png")

    with rendering(quality, theme, cache=not no_cache) as render:
        from animations.score.comparison import score_of_comparison, still_of_comparison

        with under_way(f"preparing {Path(path).name}"):
            score = still_of_comparison(shown, at) if still else score_of_comparison(shown)
        render(score, path)
    if not still:
        print(f"subtitles: {Path(path).with_suffix('.srt')}", file=sys.stderr)
