"""The sentences of a step: what one of its messages brings, and what all of them do."""

from __future__ import annotations

from collections import Counter

from animations.score.pacing import sentence, words
from animations.score.state_sentences import fitting, group_of, own_key, state, times_said
from animations.story.frames import hopping
from animations.story.machine_words import nodes_of
from animations.story.storyboard import Frame, Storyboard
from collectives.structure import Tree, TwoTrees

MOST_NAMED = 2  # transfers of a film that are said with the numbers of ranks and chunks


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
    longer = [*(now_said(board, text, number) for text in longer if number > 1), *short, *longer]
    longer = [had_by(board, frame, text) for text in longer] + longer
    if board.view.shows_ranks and not (board.labels.moves_data or board.untold):
        longer = [_with_news(board, hero.src, transfers[0].cell.held, longer[0]), *longer]
    return sentence(next((text for text in longer if words(text) <= say.most_words), plain))


def now_said(board: Storyboard, text: str, number: int) -> str:
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
    longer = now_said(board, text, number) if number > 1 else text
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


def sums_sent(board: Storyboard, frame: Frame) -> int:
    """How many ranks' data is in what is followed as it leaves, to be added; 0 elsewhere."""
    transfers = [frame.transfers[i] for i in frame.parcels[frame.hero].transfers]
    numbers = {len(move.cell.held) for move in transfers if move.adds}
    return numbers.pop() if board.view.shows_ranks and len(numbers) == 1 else 0


def between_nodes(board: Storyboard, frame: Frame) -> bool:
    """Whether a step sends between nodes of a machine only."""
    nodes = nodes_of(board.counted.topology.name, board.ranks) if board.counted else None
    moves = [(m.src // nodes[1], m.dst // nodes[1]) for m in frame.transfers] if nodes else []
    return bool(moves) and all(src != dst for src, dst in moves) and board.nodes == board.ranks


def rest(board: Storyboard, key: str, count: int) -> str:
    """That so many steps follow: later chunks of a pipeline are "behind", or steps "remaining"."""
    return board.say(f"score.{key}", times=times_said(board, count))


def of_group(board: Storyboard, index: int) -> str:
    """How a comment begins that says in which groups, where the name of its phase says so, too.

    Not where one node sends to all: all of its group.
    """
    frame, phase = board.frames[index], board.phases[board.frames[index].phase]
    key = f"comments.in_{group_of(board, phase.first, phase.end)}"
    ends = {frame.transfers[i].dst for i in frame.parcels[frame.hero].transfers}
    named = key in board.say.patterns and len(board.phases) > 1
    return board.say(key, text="") if named and len(ends) == 1 else ""
