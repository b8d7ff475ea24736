"""Does what `page` and `gallery` are asked for, and makes the storyboards of pictures."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from collectives.cli.drawable import MOST_DRAWN, MOST_SHOWN, check_asked, check_drawn
from collectives.cli.edited import editing_of
from collectives.cli.modeled_time import ModeledTime, modeled_time
from collectives.cli.placed import placed
from collectives.cli.subject import Subject
from collectives.cost.fault_texts import Faults
from collectives.cost.machines.topology import Topology
from collectives.cost.where import Where
from collectives.errors import BadInput, WrongSchedule
from collectives.files import check_writable, name_on_ranks
from collectives.progress import counted
from collectives.recording.recording import Recording
from collectives.words import plural

if TYPE_CHECKING:
    from collectives.questions.amounts import Again

MOST_IN_GALLERY = 16  # ranks: it should stay a file that can be sent


def default_name(recording: Recording, suffix: str = "") -> str:
    """The file in this folder a picture goes to unless named: ring-all-reduce-4.mp4."""
    return name_on_ranks(recording.title, recording.ranks, suffix)


def make_page(
    subject: Subject,
    where: Where,
    faults: Faults,
    output: str | None,
    theme: str | None,
    stage: str,
    also: Sequence[str] = (),
    ask: bool = False,
    edit: bool = False,
    tour: bool = False,
    element: str | None = None,
    languages: Sequence[str] = ("en",),
) -> None:
    """`collectives page`: write the page, or a folder of pages; print the path of each file."""
    from animations.player.catalog import write_catalog
    from animations.player.element import write_players
    from animations.player.pack.editor import check_edited
    from animations.player.page import write_page
    from animations.story.halted import up_to_standstill

    only_machine = not subject.words
    subject = _meant(subject, where)
    time = modeled_time(where, faults)
    subjects = [subject, *(_other(subject, text) for text in also)]
    drawn = [timed(subject, where, MOST_SHOWN) for subject in subjects]
    _refuse_twice([recording for recording, _ in drawn], also)
    _refuse_languages(languages, also, edit, element)
    path = _target(drawn[0][0], output, element)
    editing = editing_of(subject, drawn[0][0], also, ask) if edit else None
    for about, (recording, _) in zip(subjects, drawn, strict=True):
        if ask:
            check_asked(about, recording)
    pairs = list(zip(subjects, drawn, strict=True))
    boards = [
        board_of(recording, machine, stage, "lecture", ask, about.again, language, time)
        for about, (recording, machine) in counted(
            pairs, f"preparing {path}", len(pairs), "algorithms"
        )
        for language in languages
    ]
    if time is not None:
        boards = [up_to_standstill(board, stage) for board in boards]
        _refuse_untimed(boards, where.clock)
    if ask:
        silent = boards[:: len(languages)]
        _refuse_silent(silent, [recording.title for recording, _ in drawn], subjects)
    if tour:
        boards = _with_tours(boards, [case[0] for case in drawn for _ in languages])
    check_edited(boards[0], editing)
    if element is not None:
        path = "\n".join(write_players(_paired(drawn, boards), path, theme, editing).lines())
    elif also:
        write_catalog(_paired(drawn, boards), path, theme)
    else:
        explored = where.name is not None
        write_page(boards[0], path, theme, editing, boards[1:], explored, only_machine)
    print(path)
    refuse_wrong(boards)


def _target(recording: Recording, output: str | None, element: str | None) -> str:
    """The file of the page, or the folder of pages, if it can be written; else raises BadInput."""
    from animations.player.element import check_folder

    if element is None:
        return str(check_writable(output or default_name(recording, ".html")))
    if output is not None:
        raise BadInput(f"-o {output}: with --element pages go to a folder; try: leave -o out")
    return str(check_folder(element))


def _paired(
    drawn: Sequence[tuple[Recording, Topology | None]], boards: Sequence[Any]
) -> list[tuple[Recording, Any]]:
    """Recordings of one language with their storyboards."""
    return [(case[0], board) for case, board in zip(drawn, boards, strict=True)]


def _refuse_languages(
    languages: Sequence[str], also: Sequence[str], edit: bool, element: str | None
) -> None:
    """Raise BadInput for several languages where a page has one."""
    if len(languages) > 1 and (also or edit or element is not None):
        option = f"--also {also[0]}" if also else "--edit" if edit else "--element"
        near = f"try: --language {languages[0]}"
        raise BadInput(f"--language {','.join(languages)}: a page with {option} has one; {near}")


def _meant(subject: Subject, where: Where) -> Subject:
    """The subject, or where only a machine is named the ring on it; raises BadInput for neither."""
    if subject.words:
        return subject
    if where.name is None:
        raise BadInput("page: no SUBJECT; try: collectives page all-reduce ring")
    return subject.named("all-reduce", "ring")


def _with_tours(boards: Sequence[Any], recordings: Sequence[Recording]) -> list[Any]:
    """With their tours; raises BadInput for the first that has none, unless it is wrong."""
    from animations.story.tour import tour_of

    toured = []
    for board, recording in zip(boards, recordings, strict=True):
        stops = tour_of(board, recording.structure.kind)
        if not stops and not board.wrong:
            raise BadInput(f"--tour: nothing moves in {recording.title}; try: leave it out")
        toured.append(replace(board, tour=stops))
    return toured


def _refuse_untimed(boards: Iterable[Any], clock: str) -> None:
    """Raise BadInput for the first whose messages have no times to be shown."""
    for board in boards:
        if not board.times and board.frames:
            why = "it has too many messages for a page in modeled time; try: --clock steps"
            raise BadInput(f"--clock {clock}: {why}")


def _refuse_silent(
    boards: Iterable[Any], titles: Iterable[str], subjects: Iterable[Subject]
) -> None:
    """Raise BadInput for the first that asks nothing, unless it is wrong."""
    for board, title, subject in zip(boards, titles, subjects, strict=True):
        if not board.questions and not board.wrong:
            of = f"{title} on {plural(board.ranks, 'rank')}"
            near = "leave it out" if subject.is_fixed else "try: -n 8"
            raise BadInput(f"--ask: there is nothing to ask about {of}: nothing moves; {near}")


def refuse_wrong(boards: Iterable[Any]) -> None:
    """Raise WrongSchedule, with the diagnosis, for the first that is wrong: after it was drawn."""
    for board in boards:
        if board.wrong and board.wrong.breaks_promise:
            raise WrongSchedule(board.wrong.text)


def make_gallery(
    ranks: Sequence[int], output: str | None, theme: str | None, language: str = "en"
) -> None:
    """`collectives gallery`: write a page with the whole catalog, print its path last."""
    from animations.player.catalog import whole_catalog, write_catalog

    if output is None:
        raise BadInput("missing -o: the file it goes to; try: -o catalog.html")
    if max(ranks) > MOST_IN_GALLERY:
        listed = ",".join(map(str, ranks))
        limit = f"a gallery shows 1 to {MOST_IN_GALLERY} ranks; try: -n 4,8,16"
        raise BadInput(f"-n {listed}: {limit}")
    check_writable(output)
    write_catalog(whole_catalog(ranks, language), output, theme, mapped=True)
    print(output)


def _other(subject: Subject, text: str) -> Subject:
    """The subject with other words: those of a subject, or an algorithm of the same collective."""
    words = tuple(text.split())
    if not words:
        raise BadInput("--also '': names no algorithm; try: --also tree")
    if len(words) == 1 and subject.in_catalog and not re.search(r":|\.", text):
        words = (subject.words[0], *words)
    return subject.named(*words)


def _refuse_twice(recordings: Sequence[Recording], also: Sequence[str]) -> None:
    """Raise BadInput for a recording that cannot be told from one before it."""
    names = [
        (recording.collective.name, recording.algorithm, recording.ranks)
        for recording in recordings
    ]
    for number, text in enumerate(also, 1):
        if names[number] in names[:number]:
            title, ranks = recordings[number].title, recordings[number].ranks
            twice = f"{title} on {ranks} ranks is in the page already"
            raise BadInput(f"--also {text!r}: {twice}; try: leave it out")


def board_of(
    recording: Recording,
    topology: Topology | None,
    stage: str | None,
    sheet: str,
    asks: bool = False,
    again: Again | None = None,
    language: str = "en",
    time: ModeledTime | None = None,
) -> Any:
    """The storyboard of a recording on a sheet, with questions if it asks; see `usual_board`."""
    if time is not None:
        time.check(recording)
    from animations.drawing.sheet import PANEL, SHEETS
    from animations.story.usual import usual_board

    page = (SHEETS | {PANEL.name: PANEL})[sheet]
    arguments = (recording, topology, stage or "", page, asks, again, language)
    return usual_board(*arguments, time=None if time is None else time.timings)


def timed(
    subject: Subject, where: Where, limit: int = MOST_DRAWN
) -> tuple[Recording, Topology | None]:
    """The recording that is meant, of at most so many ranks, and the machine where one is named."""
    dtype = "uint8" if subject.size and subject.size % 8 else "int64"
    options = ("-n", "--chunks")
    recording, setup = placed(subject, where, dtype, options=options, limit=limit, partly=True)
    check_drawn(subject, recording, limit)
    return recording, where.named(setup).machine(recording) if where.is_given else None
