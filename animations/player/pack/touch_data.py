"""What the player tells of what is selected: origins, goals, terms, programs of single ranks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from animations.phrases.terms import glossary
from animations.story.machine_words import spoken_machine
from animations.story.storyboard import Storyboard
from collectives.cost.machines import MACHINES
from collectives.glossary import terms_in
from collectives.recording.packed import indexed
from collectives.schedule.provenance import Standing
from collectives.words import capital

OWN_TERMS = (
    "rank",
    "vector",
    "slot",
    "chunk",
    "contribution",
    "transfer",
    "message",
    "step",
    "promise",
    "link",
    "lower bound",
    "partial sum",
)  # of the sentences of core/words.js
Said = tuple[str, bool]  # where a rank stands, and whether it waits


def touch_data(board: Storyboard, sizes: Iterable[int], texts: Iterable[str]) -> dict[str, Any]:
    """All that is said of a selection and does not follow from transfers; `texts` of the picture.

    slots: what each slot is called in a sentence. `begins`, `firsts`, `needs`: see `Origins`.
    bytes: of each of `sizes`. roles: of each node, as in "child of rank 0". times: of each clock
    its name, the machine's, seconds in all, and the `steps` of `MessageTimes`. clock: that by which
    the data of a step travels, empty where all of it takes as long. terms:
    [definition, term, then its other spellings in the texts].
    """
    origins, labels = board.origins, board.labels
    assert origins, "a page checks first what it can show"
    clocks = [time.clock for time in board.times]
    return {
        "slots": [labels.slot(slot) for slot in range(board.slots)],
        "chunks": labels.chunk_count,
        "promised": labels.promised_slots,
        "blocks": labels.in_blocks,
        "news": not labels.moves_data,
        "begins": origins.start,
        "firsts": origins.values,
        "needs": origins.goals,
        "operation": origins.operation,
        "bytes": list(sizes),
        "roles": origins.roles,
        "clock": board.timing.clock if board.timing and board.timing.clock in clocks else "",
        "times": [[time.clock, time.machine, time.total, time.steps] for time in board.times],
        "terms": [
            *terms_data([*clocks, *texts, *origins.roles], labels.say.language),
            *_names(board),
        ],
    }


def _names(board: Storyboard) -> Iterator[list[str]]:
    """What the machine is and what rivals do, each before its name, unless that is a term."""
    say, known = board.say, glossary(board.say.language)
    uses = {use for entry in known.values() for use in entry.uses}
    for name, idea in board.trade.ideas:
        if idea and name.lower() not in uses:
            yield [say("trade.stop", text=idea), name]
    name = board.times[0].machine if board.times else ""
    if name in MACHINES:
        spoken = capital(spoken_machine(name, board.ranks, say))
        yield [MACHINES[name].about if say.language == "en" else spoken, name]


def terms_data(texts: Iterable[str], language: str) -> list[list[str]]:
    """The terms that some texts use, each with its definition before it and spellings after it."""
    known, words = glossary(language), dict[str, list[str]]()
    uses = {use: term for term, entry in known.items() for use in entry.uses}
    own = [known[term].word for term in OWN_TERMS]
    for use, term in terms_in([*own, *texts], uses).items():
        meaning, word, _ = known[term]
        terms = words.setdefault(term, [meaning, word])
        if use != word:
            terms.append(use)
    for term in OWN_TERMS:  # plurals, as sentences of the player are not read here
        words[term] += [use for use in known[term].others if use not in words[term]]
    return list(words.values())


def programs(board: Storyboard) -> dict[str, Any]:
    """Distinct texts, and for each state the index of that of each rank; nothing without programs.

    Of a deadlock there is one more state, in which all wait.
    """
    if not has_programs(board):
        return {}
    states = [[(board.say("programs.start"), False)] * board.ranks]
    files = {file for frame in board.frames for file in map(_file, frame.standing)}
    several = len(files - {""}) > 1
    for frame in board.frames:
        states.append([_sentence(board, standing, several) for standing in frame.standing])
    states += _stuck(board)
    lines = indexed(line for state in states for line in state)
    at = [[lines[line] for line in state] for state in states]
    return {"programs": {"said": [list(line) for line in lines], "at": at}}


def has_programs(board: Storyboard) -> bool:
    """Whether it is known where programs of single ranks stand."""
    return any(frame.standing for frame in board.frames) or bool(_stuck(board))


def _sentence(board: Storyboard, standing: Standing, several: bool) -> Said:
    """Where a rank stands, with its file where there are several, and whom it waits for."""
    if not standing.stamp:
        return board.say("programs.ended"), False
    line = board.say("wrong.line", line=standing.stamp[-1].line)
    line = f"{_file(standing)}, {line}" if several else line
    return (_waits(board, line, standing.waits), True) if standing.waits else (line, False)


def _file(standing: Standing) -> str:
    return standing.stamp[-1].source.file if standing.stamp else ""


def _stuck(board: Storyboard) -> list[list[Said]]:
    """What all do in a deadlock."""
    halted = board.wrong.stuck if board.wrong else None
    if halted is None or not halted.peers:
        return []
    state = [(board.say("programs.ended"), False)] * board.ranks
    for rank, peers in halted.peers.items():
        state[rank] = _waits(board, halted.lines[rank], peers), True
    return [state]


def _waits(board: Storyboard, line: str, peers: Sequence[int]) -> str:
    others = ", ".join(map(str, dict.fromkeys(peers)))
    return board.say("programs.waits", line=line, others=others)
