"""The sentences of a film: each is computed from what was executed, and at most 14 words long."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from fractions import Fraction
from itertools import pairwise

from animations.score.pacing import clauses, sentence, words
from animations.score.repeats import Run
from animations.story.comments import linked
from animations.story.facts import is_one_group
from animations.story.frames import hopping
from animations.story.machine_words import nodes_of
from animations.story.storyboard import Frame, Storyboard
from animations.story.tally import Tally
from collectives.recording.phases import Phase
from collectives.schedule import Step
from collectives.structure import Tree, TwoTrees
from collectives.units import size_text
from collectives.words import capital

MOST_NAMED = 2  # transfers of a film that are said with the numbers of ranks and chunks
SPELLED = range(2, 11)  # numbers of repetitions that are words
RAIL = "rail"  # of groups the one whose name is explained, which leaves no room for more
MOST_PARTS = 64  # of a vector of which one is said
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


def group_of(board: Storyboard, first: int, end: int) -> str:
    """The kind of group in which steps run, counted from 0: a row, or a node; else nothing."""
    groups = {p.remark.group for frame in board.frames[first:end] for p in frame.parcels}
    return groups.pop() if len(groups) == 1 else ""


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


def transfer(board: Storyboard, frame: Frame, follows: str = "") -> str:
    """What the followed parcel does, and whose data is then in its cells.

    follows: "then" where it is said to come after another, "now_new" of another chunk.
    """
    hero, say = frame.parcels[frame.hero], board.say
    transfers = [frame.transfers[i] for i in hero.transfers]
    if len(transfers) == 1 and not (first := transfers[0]).adds and not first.is_local:
        ways = (m for m in frame.transfers if (m.src, m.chunk) == (first.src, first.chunk))
        transfers = [m for m in ways if not (m.adds or m.is_local)]  # a copy to each of several
    plain = board.labels.sentence(transfers, board.senders(frame))
    longer = [say(f"score.{follows}", text=plain) if follows else plain, plain]
    number = data_of(board, frame) if board.labels.moves_data else 0
    every = longer if number == board.ranks else ()
    short = (say("score.now_all_of", text=text, ranks=number) for text in every)
    longer = [*(_now(board, text, number) for text in longer if number > 1), *short, *longer]
    longer = [had_by(board, frame, text) for text in longer] + longer
    if board.view.shows_ranks and not (board.labels.moves_data or board.untold):
        longer = [_with_news(board, hero.src, transfers[0].cell.held, longer[0]), *longer]
    return sentence(next((text for text in longer if words(text) <= say.most_words), plain))


def _now(board: Storyboard, text: str, number: int) -> str:
    """A text about a sum, and of how many ranks that is."""
    key = "score.now_all" if number == board.ranks else "score.now"
    return board.say(key, text=text, number=number, ranks=board.ranks)


def _with_news(board: Storyboard, src: int, held: tuple[int, ...], text: str) -> str:
    """A text about who tells whom, and of whose arrivals."""
    say, known = board.say, board.labels.nodes(held)
    if len(held) == 2:
        numbers = say.listed([*map(str, held)])
        known = say("some.nodes", nouns=say.several("rank"), numbers=numbers)
    return say(f"score.tells_{'itself' if held == (src,) else 'of'}", text=text, known=known)


def had_by(board: Storyboard, frame: Frame, text: str, limit: int = 1) -> str:
    """A text about a copy, and how many ranks have what is promised to all; else the text alone.

    limit: among how many chunks that go together the one that is followed may be.
    """
    wells = board.scenery.fold.well
    moved = [frame.transfers[i] for i in frame.parcels[frame.hero].transfers]
    first, well = frame.example, wells[frame.example.into]
    goals = {(rank, well) for rank in range(board.ranks)}
    counted = board.view.shows_ranks and board.labels.moves_data and len({*wells}) == len(wells)
    mistaken = board.untold and board.untold.step
    copies = not mistaken and len(moved) <= limit and not first.adds and first.src < board.ranks
    if not (counted and copies and goals <= {*board.promised}):
        return text
    cells = board.cells(frame.number)
    there = cells.get((first.dst, well))
    number = sum(cells.get(goal) == there for goal in goals)
    partial = board.adds and (there is None or len(there.held) < board.ranks)
    if first.dst >= board.ranks or number < MOST_NAMED or partial:
        return text
    key = "score.had_all" if number == board.ranks else "score.had"
    return board.say(key, text=text, number=number, ranks=board.ranks)


def example(board: Storyboard, index: int, named: int, before: int | None) -> tuple[str, bool]:
    """What is said of the followed data in a step, counted from 0, and whether that names it.

    named: how often it was named before; after twice it is "this chunk" and "this sum". before:
    the chunk that was spoken of before, if any: another one is named. Nothing where what holds
    after the step, or its comment, says as much.
    """
    frame = board.frames[index]
    if text := hopped(board, index) or _together(board, frame):
        return text, False
    src, dst, last = frame.example.src, frame.example.dst, board.frames[index - 1].example
    back = own_key(board, "returns") * (bool(index) and (last.dst, last.src) == (src, dst))
    if (key := back or own_key(board, "moves")) and not board.untold:
        return board.say(key, src=src, dst=dst), True
    if text := both_ways(board, index) or _unequal(board, index):
        return text, False
    at_switch = frame.example.dst >= board.ranks and board.labels.helper == "switch"
    if frame.comment and at_switch and not frame.example.adds:
        return "", False  # its comment says as much
    anew = before is not None and before != frame.example.chunk
    if anew and board.labels.chunk_count > 1 and not board.labels.in_blocks:
        behind = _behind(board, index, before)
        return behind or transfer(board, frame, "now_new"), not behind
    if text := goes_on(board, index) if index else "":
        return text, False
    copies = frame.transfers[frame.followed].src >= board.ranks and frame.comment
    ends = not board.labels.moves_data and index + 1 == len(board.frames)
    if (named < MOST_NAMED or ends) and not (copies and board.labels.helper == "switch"):
        return transfer(board, frame), True
    number = data_of(board, frame)
    state_follows = state(board, index + 1, spread=False) != state(board, index, spread=False)
    if number < 2 or (state_follows and len(frame.transfers) > 1) or not board.labels.moves_data:
        return "", False
    key = "score.sum_now_all" if number == board.ranks else "score.sum_now"
    return board.say(key, number=number, ranks=board.ranks), False


def _behind(board: Storyboard, index: int, ahead: int | None) -> str:
    """That a chunk takes each way of another one, always so many steps later; else nothing."""
    moves, chunk = board.frames[: index + 1], board.frames[index].example.chunk
    rows = [(k, m.src, m.dst, m.chunk) for k, frame in enumerate(moves) for m in frame.transfers]
    first, then = ([row[:3] for row in rows if row[3] == slot] for slot in (ahead, chunk))
    later = then[0][0] - first[0][0]
    alike = {(k + later, *ends) for k, *ends in first if k + later <= index} == {*then}
    if board.frames[index].example.adds or later < 1 or not alike or not board.labels.moves_data:
        return ""
    text = board.say("score.comes_behind", chunk=chunk, steps=board.say.plural(later, "step"))
    return sentence(had_by(board, board.frames[index], text))


def hopped(board: Storyboard, index: int, landed: bool = False) -> str:
    """Of the block that takes two hops, where it goes in a step; once that landed, if it stays."""
    frame, say = board.frames[index], board.say
    hops = hopping(board.frames, board.labels)
    number = len({m.chunk for m in frame.transfers if m.src == 0 != m.dst})
    if not hops or not number or index > max(hops) or (landed and index in hops):
        return ""
    ways = [board.frames[place].transfers[i] for place, i in hops.items()]
    rest = next(move for place, move in zip(hops, ways, strict=True) if place >= index)
    parts = [(m.dst - m.src) % board.ranks for m in ways]
    moves = "leave" if index not in hops else "on" if index == max(hops) else "first"
    fields = {"block": board.labels.contents(ways[:1]), "blocks": say.plural(number, "block")}
    fields |= {"parts": " + ".join(map(str, parts)), "distance": f"{sum(parts)}"}
    target = board.labels.nodes([rest.src if landed else frame.example.dst])
    return sentence(say(f"score.hop_{'stays' if landed else moves}", target=target, **fields))


def again(board: Storyboard, frame: Frame, named: int = 0) -> str:
    """What is said of a step whose comment was spoken before: its comment, or its example.

    Of copies of a switch its example. named: how often data was named before; then messages are
    counted instead.
    """
    remark = frame.parcels[frame.hero].remark.text or frame.comment.split("; ")[0]
    copied = board.labels.helper == "switch" and frame.example.src >= board.ranks
    if not copied and (text := next(iter(fitting(board, remark)), "")):
        return text
    links = {(m.src, m.dst) for m in frame.transfers if not m.is_local}
    if named < MOST_NAMED or board.untold or not board.labels.moves_data or len(links) == 1:
        return transfer(board, frame)
    key = "all_at_once" if links else "inside"
    return board.say(f"score.{key}", messages=board.say.plural(len(links), "message"))


def _meeting(board: Storyboard, frame: Frame) -> tuple[int, int]:
    """At how many switches or servers all ranks meet in a step, and how many at each; else 0."""
    adds = {(m.src, m.dst) for m in frame.transfers if m.adds and not m.is_local}
    hubs = Counter(dst for _, dst in adds)
    meet = sorted(src for src, _ in adds) == [*range(board.ranks)] and min(hubs) >= board.ranks
    return (len(hubs), max(hubs.values())) if meet and len({*hubs.values()}) == 1 else (0, 0)


def _together(board: Storyboard, frame: Frame) -> str:
    """That all ranks send to switches that add or to a server; nothing where they do not."""
    hubs, number = _meeting(board, frame)
    ends = {(m.src, m.dst) for m in frame.transfers}
    served = len({src for src, _ in ends if src >= board.ranks}) == 1 and board.labels.helper
    if served == "server" and sorted(dst for _, dst in ends) == [*range(board.ranks)]:
        return board.say("score.all_leave", ranks=board.ranks)
    if not hubs or number < MOST_NAMED:
        return ""
    switches = board.labels.helper == "switch"
    if hubs > 1:
        return board.say("score.all_meet_each", number=number) if switches else ""
    key = "score.all_meet" if switches else "score.all_queue"
    return board.say(key, ranks=board.ranks, helper=board.say.noun(board.labels.helper))


def both_ways(board: Storyboard, index: int) -> str:
    """That a chunk turns round in a tree while another still goes up there; nothing elsewhere."""
    trees = board.counted.asked.structure if board.counted else None
    frame, down = board.frames[index], board.frames[index].example
    later = (m for m in frame.transfers if m.adds and (m.dst, m.src) == (down.src, down.dst))
    up = next(later, None)
    turns = index and board.frames[index - 1].example.adds and not down.adds
    if not turns or up is None or board.untold or not isinstance(trees, Tree | TwoTrees):
        return ""
    if _together(board, frame):  # which is said
        return ""
    target = board.labels.nodes(frame.parcels[frame.hero].dsts)
    return board.say("score.both_ways", chunk=down.chunk, target=target, behind=up.chunk)


def _unequal(board: Storyboard, index: int) -> str:
    """In the last step of a ring that small messages are there first; nothing if all are alike."""
    sizes = {move.size for move in board.frames[index].transfers}
    differ = board.scenery.largest and len(sizes) > 1 and not board.untold
    ends = index and index + 1 == len(board.frames) and board.scenery.family == "ring"
    return board.say("score.small_wait") if differ and ends else ""


def is_alone(board: Storyboard, frame: Frame) -> bool:
    """Whether a step of a tree is one copy to one rank."""
    return board.scenery.family == "tree" and len(frame.transfers) == 1 and not frame.example.adds


def added(board: Storyboard, frame: Frame) -> str:
    """How many steps a ring needs for what switches have added in one; nothing elsewhere."""
    hubs, number = _meeting(board, frame)
    if not hubs or number <= MOST_NAMED or board.labels.helper != "switch":
        return ""
    return board.say("score.added", number=number, steps=number - 1)


def destined(board: Storyboard, index: int) -> str:
    """Why the followed chunks that go together are not neighbors: who adds them last keeps them.

    Nothing where they are, or where those ranks are others.
    """
    frame, phase = board.frames[index], board.phases[board.frames[index].phase]
    here = [frame.transfers[i] for i in frame.parcels[frame.hero].transfers]
    first, chunks = here[0].dst, sorted(m.chunk for m in here if m.adds)
    reached, left = {first}, set[int]()
    for later in board.frames[index + 1 : phase.end]:
        reached |= {m.dst for m in later.transfers if m.src in reached}
        left |= {m.chunk for m in later.transfers if m.src == first}
    scattered, kept = chunks and chunks[-1] - chunks[0] >= len(chunks), {*chunks} - left
    if not scattered or {*chunks} != reached or len(kept) != 1 or not board.labels.moves_data:
        return ""
    others = board.labels.nodes(sorted(reached - {first}))
    return board.say("score.destined", rank=first, chunk=min(kept), others=others)


def goes_on(board: Storyboard, index: int) -> str:
    """That the data that was followed in the step before goes on; nothing where it does not."""
    here, before = (
        [frame.transfers[i] for i in frame.parcels[frame.hero].transfers]
        for frame in (board.frames[index], board.frames[index - 1])
    )
    stays = {(m.dst, m.into) for m in before} == {(m.src, m.chunk) for m in here}
    targets, first = sorted({m.dst for m in here}), here[0]
    moves = board.frames[index].transfers
    copied = {m.dst for m in moves if (m.src, m.chunk) == (first.src, first.chunk)}
    if not first.adds and len(copied) == board.ranks - 1:
        targets = sorted(copied)
    if not stays or not board.labels.moves_data:
        return ""
    say, noun = board.say, "block" if board.labels.in_blocks else "chunk"
    number, several = data_of(board, board.frames[index]), len({m.chunk for m in here}) > 1
    phase = board.phases[board.frames[index].phase]
    cells = {(m.dst, m.into) for m in here}
    every = [m for m in board.frames[index].transfers if m.adds and (m.dst, m.into) in cells]
    meet = len({m.src for m in every} - {*targets}) > 1
    if here[0].adds and targets[-1] < board.ranks:
        key = f"score.adds_{'what_comes' if meet else 'them' if several else 'it'}"
        key = key if len(targets) == 1 else "score.add"
    elif (board.labels.uncut and not here[0].chunk) or (
        not (several or before[0].adds)
        and index > max(phase.first, 1)
        and goes_on(board, index - 1)
    ):
        key = "score.and_on"
    else:
        key = f"score.on_{noun}{'s' * several}"
    senders = {m.src for m in moves if not m.adds and not m.is_local}
    if key == "score.and_on" and board.labels.uncut and len(senders) > 1:
        key = "score.several_on"
    who = board.labels.nodes([*senders]) if len(senders) == 2 else say.plural(len(senders), "rank")
    text = say(key, target=board.labels.others(targets), senders=who)
    longer = _now(board, text, number) if number > 1 else text
    sums = [len(m.cell.held) for m in every]
    if meet and len(cells) == 1 and sum(sums) < number < board.ranks:
        parts = " + ".join(map(str, (*sums, number - sum(sums))))
        longer = say("score.now_parts", text=text, parts=parts, number=number)
    longer = had_by(board, board.frames[index], longer)
    return sentence(longer if words(longer) <= say.most_words else text)


def data_of(board: Storyboard, frame: Frame) -> int:
    """How many ranks' data meets where a step adds what is followed; 0 where it does not add.

    Also 0 where a wrong schedule has made a sum that has some of it twice, or what is foreign.
    """
    transfers = [frame.transfers[i] for i in frame.parcels[frame.hero].transfers]
    cells = (frame.cells.get((m.dst, m.into)) for m in transfers)
    numbers = {0 if not cell or (board.wrong and cell.labels) else len(cell.held) for cell in cells}
    counted = board.view.shows_ranks and transfers[0].adds and len(numbers) == 1
    return numbers.pop() if counted else 0


def _sums_sent(board: Storyboard, frame: Frame) -> int:
    """How many ranks' data is in what is followed as it leaves, to be added; 0 elsewhere."""
    transfers = [frame.transfers[i] for i in frame.parcels[frame.hero].transfers]
    numbers = {len(move.cell.held) for move in transfers if move.adds}
    return numbers.pop() if board.view.shows_ranks and len(numbers) == 1 else 0


def scaled(board: Storyboard, run: Run, place: int) -> tuple[str, bool]:
    """That a step goes twice or half as far as the one before, or one rank further.

    Where each rank also sends half or twice as much, it says this; then True. Where steps are
    levels of a tree, it names these, and how many ranks are idle.
    """
    say, frame = board.say, board.frames[run.first + place]
    before, now = (_each_sends(board, run.first + at) for at in (place - 1, place))
    more = "_more" if now == 2 * before else "_less" if before == 2 * now else ""
    level, part = _level(board, frame, run.scale), Fraction(now, max(board.size, 1))
    reach = level or say(f"score.far_{run.scale}")
    if now and more and run.scale in ("twice", "half") and 1 < part.denominator <= MOST_PARTS:
        once_more = place > 1 and not level
        pair = board.frames[run.first + place - 1], frame
        if more == "_less" and [_between_nodes(board, step) for step in pair] == [False, True]:
            return say("score.scaled_between", part=part), True
        again = "_again" * once_more
        if more == "_more" and len({step.example.chunk for step in pair}) == 1:
            text = say(f"score.scaled_grown{again}", far=reach)
            if (counted := had_by(board, frame, text, board.labels.chunk_count)) != text:
                return sentence(counted), True
        sums = _sums_sent(board, frame) if once_more and more == "_less" else 0
        again = "_sums" if sums > 1 else again
        return say(f"score.scaled{more}{again}", far=reach, part=part, number=sums), True
    kept, distance = board.tallies.get(run.first + place), run.distances[place]
    lacks = kept and 0 < kept.finished[0] == kept.finished[1] == kept.wanted[0] * (1 - part)
    behind = "_behind" * (run.scale == "further" and distance == board.ranks - 1 > place)
    rest = "_hop" if hopping(board.frames, board.labels) else "_rest"
    rest *= bool(lacks) and run.scale == "twice" and now < 2 * before
    if not level:
        return say(f"score.scaled{behind or rest}", far=reach, distance=distance, part=part), False
    idle = board.ranks - len({node for m in frame.transfers for node in (m.src, m.dst)})
    key = f"score.scaled_{'idle' if idle else 'busy'}{'_one' * (idle == 1)}"
    return say(key, far=reach, ranks=say.plural(idle, "rank")), False


def _between_nodes(board: Storyboard, frame: Frame) -> bool:
    """Whether a step sends between nodes of a machine only."""
    nodes = nodes_of(board.counted.topology.name, board.ranks) if board.counted else None
    moves = [(m.src // nodes[1], m.dst // nodes[1]) for m in frame.transfers] if nodes else []
    return bool(moves) and all(src != dst for src, dst in moves) and board.nodes == board.ranks


def _level(board: Storyboard, frame: Frame, scale: str) -> str:
    """Which level of a binomial tree sends up in a step, or gets data; nothing elsewhere.

    There it goes twice as far a level higher, and half as far a level lower.
    """
    src, dst = (board.scenery.cards[node].y for node in (frame.example.src, frame.example.dst))
    if board.scenery.family != "tree" or scale != ("twice" if src > dst else "half"):
        return ""
    level = sorted({card.y for card in board.scenery.cards}).index(max(src, dst))
    return board.say(f"score.far_{'up' if src > dst else 'down'}", level=level)


def started(board: Storyboard, run: Run) -> str:
    """How far the first of steps goes that then go twice or half as far; nothing of a tree.

    Nor of a later phase, where it is seen.
    """
    later = board.frames[run.first].phase > 0
    if later or run.scale not in ("twice", "half") or board.scenery.family == "tree":
        return ""
    reach, ends = board.say(f"score.far_{run.scale}"), (run.first, run.end - 1)
    leaves = [_between_nodes(board, board.frames[step]) for step in ends] == [False, True]
    sent, last = (_each_sends(board, step) for step in ends)
    key = f"score.first_distance{'_inside' * (leaves and sent > last > 0)}"
    return board.say(key, distance=run.distances[0], far=reach)


def _each_sends(board: Storyboard, index: int) -> int:
    """Bytes that each node that sends in a step sends; 0 where they differ."""
    sent = Counter[int]()
    for move in board.frames[index].transfers:
        sent[move.src] += 0 if move.is_local else move.size
    sizes = {size for size in sent.values() if size}
    return sizes.pop() if len(sizes) == 1 else 0


def swung(board: Storyboard, run: Run, place: int) -> str | None:
    """That even ranks send one way, odd ones the other, and then both the other way round.

    On the same ways back also how many chunks each sends; None where ranks do not swing.
    """
    distances = [swing(board, index) for index in range(run.first, run.end)]
    if len(distances) < 2 or not all(distances) or any(a * b > 0 for a, b in pairwise(distances)):
        return None
    before = range(max(0, run.first - len(distances)), run.first)
    distance, first = abs(distances[place]), "right" if distances[0] > 0 else "left"
    if distances == [swing(board, index) for index in reversed(before)]:
        sent = sum(move.src == 0 for move in board.frames[run.first + place].transfers)
        fields = {"distance": distance, "chunks": board.say.plural(sent, "chunk")}
        return board.say(f"score.swing_{'returns' if place else 'return'}", **fields)
    back = "cables" if distance > 1 and board.scenery.family == "ring" else "back"
    key = back if place > 1 else "on" if place else first
    return board.say(f"score.swing_{key}", distance=distance, most=(distance + 1) // 2)


def swing(board: Storyboard, index: int) -> int:
    """How far to the right all even ranks send in a step, and all odd ones to the left; else 0."""
    n, moves = board.ranks, board.frames[index].transfers
    ways = {(1 - 2 * (m.src % 2)) * ((m.dst - m.src + n // 2) % n - n // 2) for m in moves}
    every = {move.src for move in moves} == {*range(n)} and board.nodes == n
    return ways.pop() if len(ways) == 1 and n % 2 == 0 and every else 0


def _times(board: Storyboard, count: int) -> str:
    """How many steps follow, a word where it is small."""
    return board.say(f"score.times_{count}") if count in SPELLED else f"{count:,}"


def until(board: Storyboard, count: int, holds: str) -> str:
    """That so many steps follow, and what holds then."""
    then = f"{holds[:1].lower()}{holds[1:]}"
    return board.say("score.until", times=_times(board, count), then=then)


def rest(board: Storyboard, key: str, count: int) -> str:
    """That so many steps follow: later chunks of a pipeline are "behind", or steps "remaining"."""
    return board.say(f"score.{key}", times=_times(board, count))


def repetition(board: Storyboard, run: Run, steps: range) -> str:
    """How often the same is done again in some steps of a run, and what each of these adds."""
    say, times = board.say, _times(board, len(steps))
    if run.scale:
        return say("score.again_further", times=times)
    if steps.stop == run.end and (gain := _becomes(board, board.frames[run.end - 1])):
        group, frame = say.noun(group_of(board, run.first, run.end)), board.frames[run.first]
        followed = {frame.transfers[i].chunk for i in frame.parcels[frame.hero].transfers}
        key = f"score.carried{'_all' * (len(followed) > 1)}"
        last = data_of(board, board.frames[run.end - 1]) == board.ranks
        shorter = [say("score.now_all_of", text="", ranks=board.ranks)] * last
        texts = [say(key, times=times, group=group, gain=text) for text in (*shorter, gain)]
        return next((text for text in texts[::-1] if words(text) <= say.most_words), texts[-1])
    if _passes_on(board, steps):
        return say("score.passes", times=times)
    ends = {board.frames[place].example.chunk for place in (steps.start - 1, steps.stop - 1)}
    goes_on = len(ends) == 1 and not run.regular
    gain = _gain(board, steps) or had_by(board, board.frames[steps.stop - 1], "") * goes_on
    return say(f"score.{'again' if run.regular else 'alike'}", times=times, gain=gain)


def _becomes(board: Storyboard, frame: Frame) -> str:
    """What the followed data is after a step: the sum of so many, or what so many have."""
    number = data_of(board, frame)
    return _now(board, "", number) if number else had_by(board, frame, "")


def _passes_on(board: Storyboard, steps: range) -> bool:
    """Whether in each of some steps every rank sends just what came in the step before."""
    frames = board.frames[steps.start - 1 : steps.stop]
    came = [{(m.dst, m.into) for m in frame.transfers} for frame in frames[:-1]]
    sent = [{(m.src, m.chunk) for m in frame.transfers} for frame in frames[1:]]
    return came == sent and len({m.src for m in frames[-1].transfers if not m.adds}) == board.ranks


def _gain(board: Storyboard, steps: range) -> str:
    """What each step of a time-lapse adds to every chunk or to every rank, if that is the same."""
    say = board.say
    states = [board.tallies.get(step) for step in range(steps.start, steps.stop + 1)]
    pairs = [(a, b) for a, b in pairwise(states) if a and b]
    if len(pairs) < len(steps):
        return ""
    gains = {(b.spread[0] - a.spread[0], b.spread[1] - a.spread[1]) for a, b in pairs}
    if board.adds and gains == {(1, 1)} and pairs[0][0].spread[0] == pairs[0][0].spread[1]:
        return say("score.gains_stripe" if board.view.shows_ranks else "score.gains_data")
    low, *others = {b.finished[0] - a.finished[0] for a, b in pairs}
    alike = all(tally.finished[0] == tally.finished[1] for pair in pairs for tally in pair)
    if others or not alike or low < 1 or pairs[0][0].goal != board.ranks:  # some take turns
        return ""
    noun = "block" if board.labels.in_blocks else "finished_chunk" if board.adds else "chunk"
    more = say.plural(low, noun) if low > 1 else say(f"score.one_{noun}")
    return say("score.each_gets", more=more)


def state(board: Storyboard, step: int, spread: bool = True) -> str:
    """What holds after a step, in numbers counted from the contributions; nothing if unknown.

    spread: whether the largest sum of each chunk is worth a sentence.
    """
    tally, say = board.tallies.get(step), board.say
    if tally is None:
        return ""
    if not board.labels.moves_data:
        return _heard(board, tally)
    each = board.adds and tally.goal == board.ranks and not board.labels.in_blocks
    if each and tally.finished == (1, 1) and tally.wanted[0] == tally.wanted[1] > 1:
        return say("score.each_finished")
    paired = board.counted and board.counted.asked.collective.pairs is not None
    whole = tally.wanted[0] == board.labels.chunk_count and not paired  # it is the same data
    if 0 < tally.done < tally.goal and (whole or board.adds):
        key = f"score.done_{'sum' if board.adds else 'data'}{'_one' * (tally.done == 1)}"
        return say(key, number=tally.done, total=tally.goal)
    low, high = tally.spread
    if spread and board.adds and 1 < low == high < board.ranks:
        return say(f"score.spread{'_chunks' * (board.labels.chunk_count > 1)}", number=low)
    return ""


def _heard(board: Storyboard, tally: Tally) -> str:
    """Of how many arrivals ranks know."""
    low, high = tally.held
    if tally.done and low != high:
        key = f"know{'_one' * (tally.done == 1)}"
        return board.say(f"score.{key}", number=tally.done, total=board.ranks)
    whose = "every" if low == high else "some"
    return board.say(f"score.{whose}_knows", number=high, total=board.ranks)


def steps_done(board: Storyboard, step: int) -> str:
    """How far the steps have come."""
    return board.say(f"score.step{'s' * (step != 1)}_done", number=step, total=len(board.frames))


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


def copied(board: Storyboard, number: int) -> str:
    """That finished data takes the way of the sums before it, where all steps of both take one."""
    first, last = board.phases[max(0, number - 1)], board.phases[number]
    frames, then = board.frames[first.first : last.end], board.frames[last.first].transfers
    ways = {frozenset((m.src, m.dst) for m in frame.transfers) for frame in frames}
    finished = all(not m.adds and len(m.cell.held) == board.ranks for m in then)
    return board.say("score.copied") if len(ways) == 1 and finished and board.adds else ""


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


def own_key(board: Storyboard, kind: str) -> str:
    """The key of a sentence that an algorithm has of its own, or its collective; else nothing."""
    asked = board.counted.asked if board.counted else None
    if not asked or asked.op != "sum":
        return ""
    name = f"score.{kind}_{asked.collective.name}"
    row = asked.row.algorithm.replace("-", "_") if asked.row else ""
    return next((key for key in (f"{name}_{row}", name) if key in board.say.patterns), "")


def remarks(comment: str, earlier: Collection[str]) -> list[str]:
    """What a step's comments say that has not been said yet."""
    return [part for part in comment.split("; ") if part and part not in earlier]


def of_group(board: Storyboard, index: int) -> str:
    """How a comment begins that says in which groups, where the name of its phase says so, too.

    Not where one node sends to all: all of its group.
    """
    frame, phase = board.frames[index], board.phases[board.frames[index].phase]
    key = f"comments.in_{group_of(board, phase.first, phase.end)}"
    ends = {frame.transfers[i].dst for i in frame.parcels[frame.hero].transfers}
    named = key in board.say.patterns and len(board.phases) > 1
    return board.say(key, text="") if named and len(ends) == 1 else ""


def fitting(board: Storyboard, text: str) -> tuple[str, ...]:
    """A text as sentences that are short enough."""
    plain = text.replace("`", "").replace(" — ", ": ").replace("——", "：")
    return clauses(plain, board.say.most_words)


def lacking(board: Storyboard, mend: Step) -> Iterator[str]:
    """Which message a schedule lacks that does too little, or that steps are too few for it."""
    src, dst, slot = (int(column[0]) for column in (mend.src, mend.dst, mend.chunk))
    came = {(m.src, m.chunk) for f in board.frames for m in f.transfers if m.dst == dst != m.src}
    node, peer = (board.labels.node(at, "some") for at in (src, dst))
    if board.wrong and (hops := max(board.wrong.hops.values(), default=0)):
        steps = board.say.plural(board.steps, "step")
        yield capital(board.say("wrong.too_far", other=peer, hops=hops, steps=steps))
    elif (src, slot) not in came:
        yield capital(board.say("wrong.unsent" if came else "wrong.idle", node=node, other=peer))
