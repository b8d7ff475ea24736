"""The sentences of a whole film and of its phases: each is computed from what was executed."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

from animations.score.pacing import sentence
from animations.score.state_sentences import fitting, group_of, own_key, state
from animations.story.comments import linked
from animations.story.facts import is_one_group
from animations.story.storyboard import Storyboard
from collectives.recording.phases import Phase
from collectives.units import size_text

RAIL = "rail"  # of groups the one whose name is explained, which leaves no room for more
MOST_COUNTS = 6  # chunks of unequal sizes whose elements are said


def opening(board: Storyboard) -> tuple[str, ...]:
    """Why anybody needs it; else its name, and what is promised."""
    return fitting(board, board.need or f"{board.title}: {board.promise}")


def problem(board: Storyboard) -> str:
    """What the ranks hold at the start."""
    say, chunks, held = board.say, board.labels.chunk_count, board.given
    ranks = say.plural(board.ranks, "rank")
    counts = board.counted.asked.counts if board.counted else None
    if counts and len({*counts}) > 1 and len(counts) <= MOST_COUNTS:
        listed, key = say.listed(list(map(str, counts))), "score.uneven"
        if 0 in counts:
            return say(f"{key}_with_empty", counts=listed, number=counts.index(0))
        return say(key, counts=listed, size=size_text(board.size))
    if board.ranks == 1:
        return say("score.alone")
    if not board.labels.moves_data:
        return say("score.arrive", ranks=ranks)
    vector = size = size_text(board.size)
    in_chunks, any_size = say.plural(chunks, "chunk"), "_any" * board.leaves_size_out
    if chunks > 1:
        vector = say("score.cut", size=size, chunks=in_chunks)
    holders = [rank for rank, count in enumerate(held) if count]
    if board.labels.in_blocks:
        return say(f"score.blocks{any_size}", ranks=ranks, size=size)
    paired = board.counted and board.counted.asked.collective.pairs is not None
    senders = {transfer.src for frame in board.frames for transfer in frame.transfers}
    if {*held} == {chunks} and paired and senders == {*holders}:
        key = own_key(board, "holds") or f"score.for_others{'_whole' * (chunks == 1)}"
        return say(key, ranks=ranks, chunks=in_chunks, size=size)
    cut = "_cut" * (chunks > 1 and bool(any_size))
    if {*held} == {chunks}:
        fields = {"ranks": ranks, "vector": vector, "chunks": in_chunks}
        return say(f"score.vectors{any_size}{cut}", **fields)
    if len(holders) == 1:
        node = board.labels.node(holders[0], "some")
        return say(f"score.root{any_size}{cut}", node=node, vector=vector, chunks=in_chunks)
    if len({*held}) == 1:
        fields = {"number": f"{held[0]}", "chunks": in_chunks, "size": size, "ranks": ranks}
        return say(f"score.share{any_size}", **fields)
    key = "score.holders_all" if len(holders) == len(held) else "score.holders"
    return say(key, number=len(holders), ranks=ranks, size=size)


def phase_name(board: Storyboard, number: int) -> str:
    """What a phase brings, where that is known, and how many steps it takes."""
    say, phase = board.say, board.phases[number]
    alone = board.counted is not None and is_one_group(board.counted.asked)
    group = "" if alone else group_of(board, phase.first, phase.end)
    name = say.listed(phase.name.replace(" × ", " ").split(" + "))
    if group:
        name = say(f"score.in_each{'_rail' * (group == RAIL)}", name=name, group=say.noun(group))
    if board.untold and phase.end == len(board.frames):
        return say("score.next_phase", name=name)
    counted = [0, *(frame.counted for frame in board.frames)]
    steps = say.steps(counted[phase.end] - counted[phase.first], phase.end - phase.first)
    if group == RAIL:
        return sentence(name)
    kind = phase.name.partition(" ")[0]  # reduce-scatter by halving is one
    ends = phase.end < len(board.frames) and phase_end(board, number)
    key = "then_phase" if ends or not _brings(board, number, kind) else f"does_{kind}"
    return sentence(say(f"score.{key}", name=name, steps=steps))


def _brings(board: Storyboard, number: int, kind: str) -> bool:
    """Whether a phase brings what those of its kind do: some do so for part of the data."""
    phase = board.phases[number]
    before, after = (board.tallies.get(step) for step in (phase.first, phase.end))
    if board.untold or f"score.does_{kind}" not in board.say.patterns or not before or not after:
        return False
    if kind in ("all-gather", "broadcast", "scatter"):
        return kind == "scatter" or phase.end == len(board.frames)
    low, high = after.spread
    return before.spread[1] < low == high and (low == board.ranks or kind != "all-reduce")


def phase_end(board: Storyboard, phase: int) -> str:
    """What holds after a phase: counted, where it holds since then; else nothing.

    After the last one, what the result does not say.
    """
    end = board.phases[phase].end
    if end == len(board.frames):
        return _came_again(board, board.phases[phase]) if board.view.shows_ranks else ""
    before, after = board.tallies.get(0), board.tallies.get(end)
    if before and after and board.labels.moves_data and before.done == after.done > 0:
        there = Counter(rank for rank, _ in board.cells(end).keys() & {*board.promised})
        *others, whole = sorted(there[rank] for rank in range(board.ranks))
        alike = len(others) > 1 == len({*others}) and 0 < others[0] < whole and not board.adds
        return board.say("score.others_have", part=Fraction(others[0], whole)) if alike else ""
    if after and after.done == 1 and board.adds and board.labels.uncut:
        return ""  # the sum is said to be finished
    return _share(board, board.phases[phase]) or state(board, end)


def _came_again(board: Storyboard, phase: Phase) -> str:
    """How many chunks came to ranks that had them, where all pass chunks round one ring.

    Only for a view that shows ranks: cells that share bars look alike before they are.
    """
    steps = board.frames[phase.first : phase.end]
    moves = [(frame.number - 1, move) for frame in steps for move in frame.transfers]
    round_ring = len({(move.src, move.dst) for _, move in moves}) == board.ranks > 2
    before = {number: board.cells(number) for number, _ in moves}
    there = [before[number].get((move.dst, move.into)) == move.cell for number, move in moves]
    if not (round_ring and any(there)) or any(move.adds or move.is_local for _, move in moves):
        return ""
    return board.say("score.came_again", number=sum(there), total=len(there))


def _share(board: Storyboard, phase: Phase) -> str:
    """Which part of the vector each rank has after a phase, summed over its group."""
    group, ranks = group_of(board, phase.first, phase.end), {*range(board.ranks)}
    cells = {at: cell for at, cell in board.cells(phase.end).items() if at[0] in ranks}
    added_up = max((len(cell.held) for cell in cells.values()), default=0)
    if not (group and board.view.shows_ranks and board.adds and 1 < added_up < board.ranks):
        return ""
    full = Counter((rank, it.held) for (rank, _), it in cells.items() if len(it.held) == added_up)
    steps = board.frames[phase.first : phase.end]
    groups = linked([(m.src, m.dst) for frame in steps for m in frame.transfers])
    groups = [linked_nodes & ranks for linked_nodes in groups]
    inside = all({*held} in groups and rank in held for rank, held in full)
    alike = [*full.values()] == [Fraction(board.labels.chunk_count, added_up)] * board.ranks
    fields = {"part": Fraction(1, added_up), "group": board.say.noun(group)}
    return board.say("score.share_summed", **fields) if inside and alike else ""


def result(board: Storyboard) -> tuple[str, ...]:
    """The promise that is kept; of a wrong schedule, that it is not."""
    key = own_key(board, "ends")
    return fitting(board, board.ending if board.wrong else board.say(key) if key else board.promise)
