"""Whys: each sentence is true of what was executed, and its picture stays on the page."""

import re
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest

pytest.importorskip("cairo")  # measures text

from claims import Played, is_true
from each import each
from settings import SOME_ROWS, THOROUGH

from animations.drawing.glyphs import text_width
from animations.drawing.shapes import Box
from animations.drawing.sheet import SHEETS
from animations.phrases import phrases
from animations.score.pacing import words
from animations.story.setup_times import setup_times
from animations.story.usual import usual_board
from animations.whys.cables import KINDS, LANES
from animations.whys.families import whys_of
from animations.whys.heard import Heard
from animations.whys.spread import Spread
from animations.whys.swings import LOADS
from animations.whys.turn_tables import with_queues
from animations.whys.two_tree_work import BEGUN, MOVED
from animations.whys.waves import WaveLanes
from animations.whys.why import SHORT, SMALLEST
from collectives import ROWS, closed_form, record
from collectives.catalog import find_row
from collectives.cost.choose.channels import timed_as_run
from collectives.cost.clocks.clock import lockstep
from collectives.cost.machines import topology
from collectives.cost.machines.seats import to_and_fro
from collectives.cost.machines.usual import usual_machine
from collectives.units import time_text

RANKS = (2, 3, 4, 5, 6, 7, 8, 9, 12, 16) if THOROUGH else (2, 5, 8)
SHOWN = [
    ("all_reduce", "ring", 8),
    ("all_gather", "ring", 5),
    ("all_reduce", "tree", 16),
    ("all_reduce", "double_binary_tree", 8),
    ("all_reduce", "hierarchical", 16),
    ("all_reduce", "rabenseifner", 16),
    ("all_reduce", "nvls", 8),
    ("broadcast", "ring", 8),
    ("all_reduce", "sharp", 16),
    ("all_to_all", "pairwise", 6),
    ("all_reduce", "two_shot", 8),
    ("all_reduce", "sharded_parameter_server", 6),
    ("all_reduce", "parameter_server", 7),
    ("broadcast", "van_de_geijn", 8),
    ("broadcast", "multicast", 8),
    ("reduce", "binary_tree", 8),
    ("scatter", "tree", 16),
    ("all_gather", "pat", 16),
    ("all_reduce", "torus_2d", 16),
    ("all_reduce", "nvls_tree", 16),
    ("send_recv", "halo_exchange", 8),
    ("send_recv", "ping_pong", 2),
    ("barrier", "dissemination", 8),
    ("all_reduce", "swing", 8),
    ("all_to_all", "bruck", 8),
    ("all_to_all", "hierarchical", 8),
    ("all_gather", "nvls", 8),
    ("all_reduce", "multicast", 8),
    ("all_reduce", "short_rank", 8),
    ("reduce_scatter", "nvls", 8),
    ("scan", "chain", 8),
    ("dispatch", "two_hop", 8),
    ("combine", "two_hop", 8),
    ("gather", "flat", 8),
    ("all_reduce", "rabenseifner", 6),
]
OLD_AND_NEW = (((2, 3), "now"), ((4, 5), "wrong"), (range(4), "now"))  # on 8 ranks, of rank 7
TRIED = (8, 9, 16, 2)  # ranks: a row has a why on one of these at least
CASES = [
    (row, ranks)
    for row in (ROWS if THOROUGH else SOME_ROWS)
    for ranks in RANKS
    if row.accepts(ranks)
]
CASES += [(find_row(*name), ranks) for *name, ranks in SHOWN]
NOT_SAID = [("all_reduce", "nvls_tree", 4), ("barrier", "recursive_doubling", 8)]  # but of others
CASES += [(find_row(*name), ranks) for *name, ranks in NOT_SAID]


def whys(recording, language="en", sheet="lecture"):
    return whys_of(recording, phrases(language), SHEETS[sheet])


@each(("row", "ranks"), CASES, lambda case: f"{case[0].title} on {case[1]}", few=12)
def test_every_sentence_is_true_of_what_was_executed(row, ranks):
    recording = record(row.collective, row.algorithm, ranks=ranks)
    told = whys(recording)
    played = Played(recording) if told else None
    for why in told:
        judged = played
        if why.heading == "And the ring: a chain, in chunks?":  # beside which a tree is shown
            judged = Played(record(row.collective, "ring", ranks=ranks, chunks=6))
        for before, said in pairwise(("", *why.sentences)):
            assert is_true(judged, said, before), said


def test_a_tree_that_broadcasts_is_shown_beside_a_chain_in_chunks():
    """Of 8 ranks; a chain through 15 links is too long to be drawn."""
    near, far = (whys(record("broadcast", "tree", ranks=ranks)) for ranks in (8, 16))
    assert near[-1].sentences[-1] == "12 steps of 1/6 each take 2 vectors' time, instead of 7."
    assert [why.heading for why in near[1:]] == ["And the ring: a chain, in chunks?"] and len(
        far
    ) == 1


@each(
    ("row", "ranks"),
    [case for case in CASES if case[1] > 2],
    lambda case: f"{case[0].title} on {case[1]}",
    few=12,
)
def test_what_half_a_minute_says_is_true_of_the_film_alone(row, ranks):
    recording = record(row.collective, row.algorithm, ranks=ranks)
    follow = [why for why in whys(recording) if why.follows][:1]
    for said, *_ in (why.briefly().sentences for why in follow):
        assert is_true(Played(recording), said), said


LINKS = r"(?i:and|but|so|yet|then|y|pero|así|luego|aun así)\b|[但而]|所以|于是|然后"  # to what?


@each("row", ROWS if THOROUGH else SOME_ROWS, lambda row: row.title, few=40)
def test_what_stands_alone_does_not_open_as_if_it_went_on(row):
    """In no language, whatever else is left out of half a minute."""
    for ranks in (n for n in (3, 7, 8) if row.accepts(n)):
        recording = record(row.collective, row.algorithm, ranks=ranks)
        for why in (why for at in ("en", "es", "zh") for why in whys(recording, at)):
            (said,) = {*why.briefly().sentences}
            assert not re.match(LINKS, said) and not said[:1].islower(), said


@pytest.mark.parametrize(
    ("row", "ranks", "options", "said"),
    [
        (("all_reduce", "flat"), 3, {}, "In one step every rank sends to both others."),
        (("barrier", "tree"), 7, {}, "Each step leaves fewer reports: 7, 4, 2, 1."),
        (("reduce", "tree"), 7, {}, "Each step leaves fewer sums: 7, 4, 2, 1."),
        (("all_reduce", "swing"), 16, {}, "1, 1, 2, 3 messages: 1.188, not 2 vectors."),
        (("all_reduce", "two_shot"), 8, {"count": 3}, "Each of 3 ranks passes 4.667 vectors"),
    ],
)
def test_what_is_counted_has_its_name(row, ranks, options, said):
    pages = whys(record(*row, ranks=ranks, **options))
    assert any(said in text for why in pages for text in why.sentences)


def test_half_a_minute_of_one_server_says_what_its_port_passes():
    (why,) = whys(record("all_reduce", "parameter_server", ranks=7))
    assert why.brief == "14 vectors pass one port in turn; with 7 servers, only 2."
    assert why.sentences[-1] == "So no port passes more than 2 vectors."


def test_spanish_sentences_have_the_same_numbers():
    """1.125 is 1,125 there, and no thousand."""
    recording = record("all_reduce", "swing", ranks=8)
    said, gone = ([s for why in whys(recording, at) for s in why.sentences] for at in ("en", "es"))
    numbers = [re.findall(r"\d+(?:[.,]\d+)?", text) for text in said]
    assert ["1", "1", "2", "1", "1.5"] in numbers
    assert [
        [n.replace(",", ".") for n in re.findall(r"\d+(?:[.,]\d+)?", t)] for t in gone
    ] == numbers


@pytest.mark.parametrize("ranks", [4, 6, 8])
def test_turns_come_table_by_table_and_each_receiver_is_marked_once_in_a_step(ranks):
    queue, meet = whys(record("all_to_all", "pairwise", ranks=ranks))
    room = Box(600.0, 400.0, 1200.0, 800.0)
    first, second = (queue.picture.drawn(room, item, 1.0) for item in (3, 4))
    digits = [[line.text for line in d.lines if line.color == "now_ink"] for d in (first, second)]
    assert [len(texts) for texts in digits] == [ranks * (ranks - 1), 2 * ranks * (ranks - 1)]
    marks = [box.box.x for box in meet.picture.drawn(room, 1, 1.0).boxes if box.color == "panel"]
    assert len(marks) == len({*marks}) == ranks
    over = meet.picture.drawn(room, 2, 1.0).boxes
    assert not any(box.color == "panel" for box in over), "all have met"


def test_every_row_has_a_why():
    rows = ROWS if THOROUGH else SOME_ROWS

    def has(row):
        recordings = [
            record(row.collective, row.algorithm, ranks=ranks)
            for ranks in TRIED
            if row.accepts(ranks)
        ]
        return any(map(whys, recordings))

    assert not [row.title for row in rows if not has(row)]


@pytest.mark.parametrize("sheet", ["film", "film 4:3", "film tall", "4:3"])
@each("case", SHOWN, few=12)
def test_what_is_drawn_stays_on_the_page_and_is_large_enough(sheet, case):
    collective, algorithm, ranks = case
    for why in whys(record(collective, algorithm, ranks=ranks), "es", sheet):
        assert all(0 < words(said) <= phrases("es").most_words for said in why.sentences)
        for item in range(1, why.items + 1):
            for time in (0.0, 0.8, 1.0):
                drawn = why.at(item, time)
                assert all(line.size >= SHORT * SMALLEST - 1e-6 for line in drawn.lines)
                corners = [
                    corner for box in drawn.boxes for edge in box.box.sides for corner in edge
                ]
                points = [p for shape in (*drawn.strokes, *drawn.areas) for p in shape.points]
                x, y = np.array(corners + points).T
                assert x.min() >= 0 and x.max() <= why.wide
                assert y.min() >= 0 and y.max() <= why.high


def test_lanes_tell_when_links_inside_and_between_nodes_are_busy_on_a_machine():
    """Seconds of steps come from a clock; a ring's chunk crosses a cable twice while it is told."""
    fields = {"ranks": 16, "count": 1 << 20, "parameters": {"gpus": 8}}
    recording = record("all_reduce", "hierarchical", **fields)
    seconds = (1.0,) * 7 + (4.0,) * 2 + (1.0,) * 7
    timing = replace(lockstep(recording, usual_machine(recording)), step_end=np.cumsum(seconds))
    (why,) = whys_of(recording, phrases("en"), SHEETS["film"], timing)
    assert [part for *_, part in why.picture.own.busy] == pytest.approx([7 / 22, 8 / 22, 7 / 22])
    assert [kind[:2] for kind in why.picture.own.busy] == [(1, 0), (0, 1), (1, 0)]
    assert [kind[:2] for kind in why.picture.ring.busy] == [(1, 1)]
    assert {kind[:2] for kind in why.picture.ring.by_steps().busy} == {(1, 1)}
    assert why.picture.own.at(0.5) == (False, True) and why.picture.own.at(1.0) == (True, False)
    stepped, timed = why.picture.axes
    assert stepped == [(30, "30 steps"), (16, "16 steps")]
    flat = record("all_reduce", "ring", ranks=16, count=recording.count)
    times = [timed_as_run(way, timing.topology).total for way in (flat, recording)]
    assert timed == [(time, time_text(time, 3)) for time in times]
    for item, axis in ((len(why.sentences) - 1, stepped), (len(why.sentences), timed)):
        ends = [{t.text for t in why.at(item, time).lines} for time in (0.2, 1.0)]
        assert [len(texts & {takes for _, takes in axis}) for texts in ends] == [0, 2]
        boxes, low = why.at(item, 1.0).boxes, why.room.bottom - LANES
        lanes = [
            [
                b.box
                for b in boxes
                if b.color == kind and b.box.y > low and (b.box.x > why.room.x) == at
            ]
            for kind, at in ((KINDS[0], False), (KINDS[1], False), (KINDS[0], True))
        ]
        inside, ring, own = (
            max(b.right for b in lane) - min(b.left for b in lane) for lane in lanes
        )
        assert ring / own == pytest.approx(axis[0][0] / axis[1][0], rel=0.02)
        chunk = recording.case.S / 16 / 8  # of one of 8 rings; links of 450 and 50 GB/s
        within, across = 1e-6 + 7 * chunk / 450e9, 2e-6 + chunk / 50e9  # 7 of 8 stay in a node
        busy = within / across if axis is timed else 1
        assert inside / ring == pytest.approx(busy, rel=3e-3)


def test_a_why_is_drawn_alike_every_time():
    one, two = (whys(record("all_reduce", "ring", ranks=4)) for _ in range(2))
    assert [w.sentences for w in one] == [w.sentences for w in two] and len(one) == 3
    assert all(a.at(2, 0.4) == b.at(2, 0.4) for a, b in zip(one, two, strict=True))


def test_a_tree_of_nodes_is_drawn_as_far_as_a_ring_has_come():
    """Each step up its tree halves the sums; down it every node gets the total, as executed."""
    why, *_ = whys(record("all_reduce", "nvls_tree", ranks=16, parameters={"gpus": 8}))
    tree, ring = why.picture.parts[4][0].between
    up, down = tree.steps[:3], tree.steps[3:]
    assert [len(tree.steps), len(ring.steps)] == [6, 14] and [*map(len, up)] == [4, 2, 1]
    assert {dst for step in down for _, dst in step} | {up[-1][0][1]} == {*range(8)}
    assert all(len(step) == 1 for step in ring.steps)
    recording = record("all_reduce", "ring", ranks=8)
    for step in (3, 7, 10, 14):
        rows = recording.contributors(step)[:, 0]
        assert ring.held(step) == [tuple(np.flatnonzero(row)) or () for row in rows]
    assert {*tree.held(6)} == {tuple(range(8))}
    labels = [[line.text for line in why.at(item, 1.0).lines] for item in (5, 6)]
    assert labels[0].count("8 nodes, 3 steps") == 2 and {
        "8 nodes, 6 steps",
        "8 nodes, 14 steps",
    } <= {*labels[1]}


def test_what_the_busiest_gpu_of_a_tree_of_nodes_sends_is_counted_at_its_node():
    """It sends up to one and down to two, as executed: 8 MiB, then twice as much more."""
    why, *_ = whys(record("all_reduce", "nvls_tree", ranks=16, count=2**23, parameters={"gpus": 8}))
    tree, ring = why.picture.parts[4][0].between
    assert Counter(src for step in tree.steps for src, _ in step)[tree.busiest] == 3
    assert tree.sent[-1] == 3 and ring.sent[-1] == Fraction(14, 8)
    for time, labels in ((0.0, {"↑ 0 B"}), (1.0, {"↑ 24 MiB", "↑ 14 MiB"})):
        drawing = why.at(7, time)
        assert labels <= {line.text for line in drawing.lines}
        frames = [box for box in drawing.boxes if box.edge == "now"]
        assert len(frames) == 2  # of both, at the nodes of those GPUs


def test_nodes_stand_as_while_it_runs_and_data_flies_between_them():
    """A switch above the first node, and one below the second."""
    recording = record("all_reduce", "nvls_tree", ranks=16, parameters={"gpus": 8}, chunks=1)
    why, *_ = whys(recording)
    room = why.room
    scene = Box.between(room.left, room.top - 30, room.right, room.bottom - 300)
    seats = why.picture.parts[0][0]._seats(scene)
    run = [card.box for card in usual_board(recording).scenery.cards]
    for boxes in (seats, run):
        rows = sorted(range(18), key=lambda node: (boxes[node].y, boxes[node].x))
        assert rows == [16, *range(16), 17]
    gap = {box.box.y for box in why.at(4, 0.3).boxes if box.box.height == 26}
    assert gap and all(seats[0].bottom <= y <= seats[8].top for y in gap)


def test_of_no_known_family_each_port_is_shown():
    """As of halving among six ranks, of which two wait until the others are done."""
    (why,) = whys(record("all_reduce", "rabenseifner", ranks=6))
    assert why.heading == "Who sends how much, and when?" and why.items == 5


@pytest.mark.parametrize(
    "case",
    [("ring", 2, None), ("ring", 4, (3, 0, 1, 2)), ("leader", 8, None), ("nvls", 8, None)]
    + [("nvls_tree", ranks, None) for ranks in (8, 16)],
)
def test_what_would_be_false_is_left_out(case):
    """Of two ranks there is no way round; of uneven chunks no port sends the same as others."""
    algorithm, ranks, counts = case
    chunks = 1 if algorithm.startswith("nvls") else None
    recording = record("all_reduce", algorithm, ranks=ranks, counts=counts, chunks=chunks)
    said = [said for why in whys(recording) for said in why.sentences]
    assert not any("never the same thing" in text for text in said)
    assert all(is_true(Played(recording), text, before) for before, text in pairwise(["", *said]))
    assert not counts or said


@pytest.mark.parametrize(
    ("chunks", "said"),
    [
        (1, "The run just seen was one wave: links up and down took turns."),
        (4, "The run just seen was 4 waves: 7 steps."),
        (8, "In one wave, it takes 4 steps."),
    ],
)
def test_waves_begin_with_those_that_were_seen_if_they_are_few(chunks, said):
    *_, waves = whys(record("all_reduce", "nvls", ranks=8, chunks=chunks))
    assert waves.sentences[0] == said


def test_sums_come_down_while_others_go_up_where_that_is_said():
    why, *_ = whys(record("all_reduce", "nvls", ranks=8, chunks=1))
    assert why.sentences[-2].startswith("Cut fine, sums come down meanwhile")
    chosen, first, end = why.picture.parts[-2]
    port = why.picture.traffic[chosen].port
    both = [step for step in range(first, end) if len(port(step, 0)) > 8 <= len(port(step, 1))]
    assert len(both) >= 4


def test_finished_chunks_that_go_up_again_move_to_the_end_of_their_lane():
    """They alone pass besides one vector."""
    why, *_ = whys(record("all_reduce", "nvls", ranks=8))
    assert why.sentences[-1].endswith("copy on writes: so 1/8 goes up again.")
    inks = []
    for time in (0.0, 1.0):
        boxes = sorted(why.at(why.items, time).boxes, key=lambda box: box.box.x)
        lane = max(box.box.y for box in boxes if box.color == "rank 0")
        inks.append([box.color for box in boxes if box.box.y == lane])
    assert sorted(inks[0]) == sorted(inks[1]) != inks[0]
    assert inks[1] == ["rank 0"] * 32 + ["complete"] * 4


def test_waves_through_switches_are_told_where_they_fill_several_steps():
    headings = [why.heading for why in whys(record("all_reduce", "sharp", ranks=8))]
    assert headings[1:] == ["Why in waves?"]
    *_, waves = whys(record("all_reduce", "nvls", ranks=8))  # messages are of several sizes
    assert waves.sentences[2].endswith("steps fill all links; then each step ends a wave.")
    nodes = whys(record("all_reduce", "nvls_tree", ranks=16))  # whose price shows them
    assert [why.heading for why in nodes] == ["Why add inside nodes first, and in the switch?"]
    drawn = waves.picture.drawn
    there = [[line.text for line in drawn(waves.room, 3, time).lines] for time in (0.3, 1.0)]
    assert there[1][:-1] == there[0], "then"
    assert len(whys(record("all_reduce", "sharp", ranks=8, chunks=1))) == 1


@pytest.mark.parametrize(
    ("case", "moves"),
    [
        (("all_reduce", "recursive_doubling"), [0] * 7),
        (("scan", "doubling"), [1] * 7),
        (("broadcast", "binomial"), [1] * 7),
    ],
    ids=lambda case: case[0] if isinstance(case, tuple) else "",
)
def test_the_obvious_way_adds_up_what_all_have_where_all_have_something(case, moves):
    why = next(why for why in whys(record(*case, ranks=8)) if isinstance(why.picture, Spread))
    near, rooted = why.picture.obvious, case[0] == "broadcast"
    assert [len(pairs) for pairs in near.moves] == moves
    assert near.counts == tuple("12345678")
    known = [len(row[7]) for row in near.held]
    if isinstance(near, Heard):  # the last rank alone, with a column for each whose data it has
        known = [sum(map(len, row)) for row in near.held]
    assert known == (
        [0] * 7 + [1] if rooted else [1] * 7 + [8] if case[0] == "scan" else [*range(1, 9)]
    )


@pytest.mark.parametrize("row", [("scan", "doubling"), ("all_reduce", "recursive_doubling")])
def test_what_comes_to_a_rank_is_marked_beside_what_it_has(row):
    why = next(why for why in whys(record(*row, ranks=8)) if isinstance(why.picture, Heard))
    picture = why.picture
    for step, (had, has) in enumerate(pairwise(picture.held)):
        marked = [(rank, tone) for at, rank, _, tone in picture.marked if at == step]
        own = {rank for rank, tone in marked if tone == "local"}
        comes = {rank for rank, tone in marked if tone == "now"}
        assert own == {rank for rank in range(8) if had[rank]} and not own & comes
        assert own | comes == {rank for rank in range(8) if has[rank]}
        assert max(comes) + 1 == min(own)
    assert [why.picture.sources] == [("from rank 6", "from rank 5", "from rank 3")]


def test_old_news_is_marked_beside_new():
    """Two ranks back, half of what rank 5 knows is old; four back all is new."""
    why = whys(record("barrier", "dissemination", ranks=8))[0]
    assert why.picture.marked == tuple(
        (2, r, r, tone) for ranks, tone in OLD_AND_NEW for r in ranks
    )
    assert [bool(why.picture.held[2][rank]) for rank in range(2, 6)] == [False] * 2 + [True] * 2
    assert "half old" in why.sentences[1 + why.picture.marks[0] - 1]


def test_only_what_a_rank_knew_is_marked_as_old_and_goes_when_the_news_comes():
    """Rank 7 would hear of ranks 2 to 5, of which it knows 4 and 5; then it hears of 0 to 3."""
    (why,) = [why for why in whys(record("barrier", "dissemination", ranks=8)) if why.need]
    (item,) = [item for item, said in enumerate(why.sentences, 1) if "half old news" in said]
    drawn = [why.at(item, time).boxes for time in np.linspace(0, 1, 60).tolist()]
    tones = [[box.edge for box in boxes if box.width == 5] for boxes in drawn]
    assert max(edges.count("wrong") for edges in tones) == 2
    assert not any("wrong" in edges and edges.count("now") > 2 for edges in tones)
    assert "wrong" not in tones[-1] and tones[-1].count("now") == 6


@pytest.mark.parametrize(
    "case", [("tree", 8, None), ("ring", 8, 6), ("ring", 4, 8), ("ring", 6, 4)]
)
def test_numbers_of_the_steps_of_a_chain_stand_apart(case):
    algorithm, ranks, chunks = case
    recording = record("broadcast", algorithm, ranks=ranks, chunks=chunks)
    (why,) = [why for why in whys(recording) if "chain" in why.heading or algorithm == "ring"]
    lines = [line for line in why.at(2, 1.0).lines if line.text.isdecimal() and line.size == 28]
    ends = [(line.x, text_width(line.text, line.size) / 2) for line in lines]
    assert len(ends) > 3 and all(x + a + 6 < y - b for (x, a), (y, b) in pairwise(sorted(ends)))


@pytest.mark.parametrize("ranks", [4, 6, 16])
def test_copies_of_a_neighbors_edge_come_to_the_border_that_lacks_them(ranks):
    *_, (why,) = (whys(record("send_recv", "halo_exchange", ranks=n)) for n in (4, ranks))
    (item,) = [item for item, said in enumerate(why.sentences, 1) if "a copy must come" in said]
    come = [why.at(item, time).boxes for time in (0.05, 0.5, 1.0)]
    lacking = [sum(box.edge == "wrong" for box in boxes) for boxes in come]
    copies = [[box.box.x for box in boxes if box.color == "rank 1"] for boxes in come]
    assert lacking[-1] == 0 < lacking[0] and [len(xs) for xs in copies] == [17, 19, 20]
    assert min(copies[0]) > min(copies[1]) == min(copies[2])


def test_what_is_new_comes_from_the_side_and_the_rest_from_above():
    """Half-way through the last step of recursive doubling on 8 ranks."""
    why = next(w for w in whys(record("all_reduce", "recursive_doubling", ranks=8)))
    picture, room = replace(why.picture, obvious=None), why.room
    for rank, box in enumerate(picture.coming(room, 2, 0.5).boxes):
        goal = picture.cell(room, 3, rank)
        beside, above = goal.x - box.box.x, goal.y - box.box.y
        assert (beside > 0) == (rank < 4) and (above > 0) == (rank >= 4)


def test_a_tree_is_told_which_ranks_idle_and_who_needs_fewer_steps():
    (why,) = [why for why in whys(record("all_reduce", "tree", ranks=8)) if why.follows]
    assert why.sentences[-2].endswith("needs 3 steps, not 6, but 24 messages, not 14.")
    assert why.picture.idle == tuple(f"{number} idle" for number in (0, 4, 6, 6, 4, 0))
    assert len(why.picture.reaches) == why.items


def test_whole_vectors_fly_down_a_tree_and_leave_bars_below_it():
    (why,) = whys(record("broadcast", "van_de_geijn", ranks=8))
    times = [BEGUN + (MOVED - BEGUN) * (step + 0.5) / 3 for step in range(3)]
    tones = [[box.color for box in why.at(1, time).boxes] for time in times]
    assert [colors.count("now") for colors in tones] == [1, 2, 4], "alone, before the steps"
    counts = [line.text for line in why.at(1, 1.0).lines if "×" in line.text]
    assert sorted(counts) == ["1 ×", "1 ×", "2 ×", "3 ×"]
    cards = [
        [box.edge for box in why.at(1, time).boxes if box.color == "panel"] for time in (0.5, 1)
    ]
    assert [edges.count("now") for edges in cards] == [0, 1], "who sends most, once all is sent"
    columns = {box.box.x for box in why.at(why.items, 1.0).boxes}
    leaves = 64 // 2  # of the tree, which send nothing
    assert why.sentences[-1].startswith("With 64 ranks") and len(columns) == 2 * 64 - leaves


def test_what_each_side_of_a_tree_and_the_swap_cost_a_port():
    (why,) = whys(record("broadcast", "split_binary", ranks=8))
    assert why.sentences == (
        "Down a tree, a port passes the whole vector up to 2 times.",
        "With half on each side, no port passes more than 1.5 vectors.",
        "Rank 1 sends 2 × 1/2 down, 1/2 in the swap: 1.5 together.",
    )
    columns = why.picture.parts[-1][0]
    assert columns.first == (1, 1.0) and columns.panels[1].port == 1
    (lone,) = whys(record("broadcast", "split_binary", ranks=3))
    assert lone.sentences[1:] == ("Cut into 4 chunks, no port passes more than 1 vector.",)


def test_where_all_ports_pass_as_much_each_has_its_own_tone():
    (why,) = whys(record("all_reduce", "parameter_server", ranks=6))
    shards = why.picture.parts[0][0].panels[-1]
    assert shards.names == (*"012345", "s0", "s1", "s2", "s3", "s4", "s5")
    last = {box.color for box in why.at(4, 1.0).boxes if box.box.x > why.room.right - 590}
    assert {f"rank {port}" for port in range(12)} <= last and "now" not in last


def test_partners_add_the_same_or_a_half_each():
    (why,) = whys(record("all_reduce", "rabenseifner", ranks=8))
    picture, _ = why.picture.parts[0]
    sides = picture.obvious, picture
    assert [[partner.rank for partner in side.partners] for side in sides] == [
        [1, 2, 4],
        [1, 2, 4, 4, 2, 1],
    ]
    assert [sum(side.parts[:3]) for side in sides] == [24, 7]


@pytest.mark.parametrize(("row", "met"), [("rabenseifner", True), ("bruck", False)])
def test_partners_share_only_where_they_meet(row, met):
    """Bruck's ranks send a half to one rank and get one from another."""
    said = [s for why in whys(record("all_reduce", row, ranks=8)) for s in why.sentences]
    assert ("Partners share what is left, so each step sends half as much." in said) is met
    assert ("Each step sends half of what the one before sent." in said) is not met


@pytest.mark.parametrize(("algorithm", "ranks"), [("rabenseifner", 8), ("bcube", 4), ("bcube", 16)])
def test_where_partners_halve_bars_lie_where_the_chunks_that_rank_0_sends_do(algorithm, ranks):
    """Half of the vector, or every second chunk of it."""
    recording = record("all_reduce", algorithm, ranks=ranks)
    (why,) = whys(recording)
    drawn = why.at(4, 1.0).boxes
    vector = max(drawn, key=lambda box: box.box.width).box
    bars = [b.box for b in drawn if b.color in ("rank 0", "now") and b.box.y > vector.y]
    halves = [box.box for box in drawn if box.edge.startswith("rank ")]
    for side, places in (("src", bars), ("dst", halves)):
        levels = sorted({box.y for box in places})
        for level, step in zip(levels, recording.steps, strict=True):
            rows = step.unrolled()
            moved = {*rows.chunk[getattr(rows, side) == 0].tolist()}
            ends = [
                round((x - vector.left) * ranks / vector.width, 6)
                for box in places
                for x in (box.left, box.right)
                if box.y == level
            ]
            runs = zip(ends[::2], ends[1::2], strict=True)
            assert {k for low, high in runs for k in range(int(low), int(high))} == moved


@pytest.mark.parametrize("ranks", [4, 6, 8])
def test_a_halo_goes_from_two_blocks_to_all_and_ends_with_the_part_that_is_sent(ranks):
    """All blocks are there when the stage comes; then two columns of more and more are lit."""
    *_, grows = whys(record("send_recv", "halo_exchange", ranks=ranks))
    names = [[line.text for line in grows.asked().at(3, t).lines[:-3]] for t in (0.0, 1.0)]
    assert names[0] == ["0", "1"] and names[1] == [*map(str, range(ranks))]
    lit = [box.box for box in grows.at(5, 1.0).boxes if box.color == "now"]
    assert len(lit) == 2 * (4 + 8 + 16) and len({round(box.width) for box in lit}) == 3
    assert [line.text for line in grows.at(5, 1.0).lines if "= 1/" in line.text] == [
        "8 / 16 = 1/2",
        "16 / 64 = 1/4",
        "32 / 256 = 1/8",
    ]


@pytest.mark.parametrize("ranks", [6, 8])
def test_blocks_that_hop_are_counted_beside_those_sent_straight(ranks):
    """A block for each hop of each, side by side, and below them one for each other rank."""
    why = whys(record("all_to_all", "bruck", ranks=ranks))[-1]
    drawn = why.at(why.items, 1.0)
    small = [box for box in drawn.boxes if box.box.y > why.room.bottom - 100]
    hops = sum(f"{distance:b}".count("1") for distance in range(1, ranks))
    assert [
        len([b for b in small if (b.color == "faint") == is_straight]) for is_straight in (0, 1)
    ] == [
        hops,
        ranks - 1,
    ]
    assert any(f"{ranks - 1}/{ranks} = " in line.text for line in drawn.lines)


@pytest.mark.parametrize("ranks", [8, 16])
def test_the_sum_of_rank_0_grows_round_one_ring_until_it_closes(ranks):
    """A partner's ranks come from outside; how far it is follows the ring's cables."""
    why = whys(record("all_reduce", "swing", ranks=ranks))[-1]
    sums, reach = (
        next(i for i, said in enumerate(why.sentences, 1) if said.startswith(start))
        for start in ("Swinging", "Each partner")
    )
    lit = [{box.edge for box in why.at(sums, t).boxes} for t in (0.01, 1.0)]
    assert lit[0] > {"edge", "rank 0"} and lit[1] == {"rank 0"}
    ways = [stroke.points for stroke in why.at(reach, 0.9).strokes if stroke.color == "now"]
    seats = [box.box for box in why.at(reach, 0.9).boxes]
    middle = sum(seat.x for seat in seats) / ranks, sum(seat.y for seat in seats) / ranks
    assert all(
        np.hypot(x - middle[0], y - middle[1]) == pytest.approx(middle[1] - seats[0].y)
        for way in ways
        for x, y in way
    )


@pytest.mark.parametrize("ranks", [4, 8, 16])
def test_swing_and_halving_put_as_much_on_cables_as_the_machine_routes(ranks):
    """There and back what passes links in turn, as their prices count it."""
    why = whys(record("all_reduce", "swing", ranks=ranks))[-1]
    drawn = [why.picture.parts[why.sentences.index(said)][0] for said in why.sentences]
    totals = [float(rings.total) for rings in (drawn[0], drawn[-1])]
    for algorithm, total in zip(("rabenseifner", "swing"), totals, strict=True):
        timing = lockstep(record("all_reduce", algorithm, ranks=ranks), topology("ring", ranks))
        times = setup_times(timing)
        passed = (times.times[-1] - times.waits[-1]) * times.speed / timing.asked.case.S
        assert passed == pytest.approx(2 * total, rel=1e-3)
    for rings in (drawn[0], drawn[-1]):  # the terms of a sum, and what it is
        formula, total = rings.drawn(why.room, LOADS, 1.0).lines[-1].text.split(" = ")
        terms = list(map(Fraction, formula.split(" + ")))
        assert len(terms) == ranks.bit_length() - 1
        assert float(sum(terms)) == pytest.approx(float(total), abs=1e-3)


@pytest.mark.parametrize("ranks", [7, 16])
def test_what_comes_to_rank_0_touches_what_it_has(ranks):
    """In Bruck's all-gather, as the recording has it step by step."""
    recording = record("all_gather", "bruck", ranks=ranks)
    (why,) = whys(recording)
    (ring, _), after = why.picture.parts[2], len(recording.steps)
    for number, step in enumerate(ring.steps):
        held = [{*map(int, at[0].any(axis=1).nonzero()[0])} for at in _states(recording)]
        assert (step.own, step.own | step.partner) == (held[number], held[number + 1])
        assert step.own == {*range(len(step.own))} and min(step.partner) == len(step.own)
    assert number + 1 == after and len(step.own | step.partner) == ranks


def _states(recording):
    return map(recording.contributors, range(len(recording.steps) + 1))


def test_a_queue_counts_whole_chunks():
    """Also while one is on its way through the port."""
    why = whys(record("all_gather", "ring", ranks=5))[0]
    shown = {
        line.text
        for item in range(2, why.need + 1)
        for time in (0.1, 0.33, 0.5, 0.77, 1.0)
        for line in why.at(item, time).lines
        if line.size == 84
    }
    assert len(shown) > 5 and shown <= {str(number) for number in range(25)}


def test_two_chunks_come_down_trees_of_their_own_whose_near_hops_do_not_wrap():
    (why,) = whys(record("all_gather", "pat", ranks=8))
    (beside, _), tree = why.picture.parts[3], why.picture.parts[3][0].obvious
    for spread, chunk in ((tree, 7), (beside, 3)):
        assert {part for row in spread.held for held in row for part in held} == {chunk}
        assert sorted(dst for step in spread.moves for _, dst in step) == sorted(
            {*range(8)} - {chunk}
        )
        assert [max(abs(b - a) for a, b in step) for step in spread.moves] == [4, 2, 1]


@pytest.mark.parametrize(("algorithm", "ranks"), [("rabenseifner", 8), ("torus_2d", 16)])
def test_pieces_fill_the_vector_but_for_a_rank_and_return_from_below(algorithm, ranks):
    """The formula of a sentence is there when its last piece is, and nothing crosses a label."""
    (why,) = whys(record("all_reduce", algorithm, ranks=ranks))
    there = why.at(3, 1.0)
    top = min(box.box.y for box in there.boxes)
    filled, missing = (
        sum(b.box.width for b in there.boxes if b.box.y == top and (b.color, b.edge) == look)
        for look in (("rank 0", ""), ("well", "now"))
    )
    assert filled / missing == pytest.approx(ranks - 1)
    assert why.at(3, 0.5).areas == why.at(2, 1.0).areas
    assert why.at(4, 0.5).areas == there.areas != why.at(4, 1.0).areas
    lowest = max(b.box.bottom for b in there.boxes if b.color == "rank 0")
    for time in (0.1, 0.3, 0.5, 1.0):
        back = [b.box for b in why.at(4, time).boxes if b.color == "now"]
        assert back and all(box.top > lowest for box in back)


def test_a_ring_through_a_torus_is_drawn_from_neighbor_to_neighbor():
    """As the machine has it that the ring is timed on."""
    (why,) = whys(record("all_reduce", "torus_2d", ranks=16))
    picture, _ = why.picture.parts[-1]
    seats = to_and_fro(topology("torus-2d", 16)).seats
    (lap,), (loops, snake) = picture.obvious.grids, picture.grids
    for way in (lap, (*snake, snake[-1][::-1])):
        assert [row * 4 + column for (column, row), *_ in way] == list(seats)
    assert [*map(len, (lap, loops, snake))] == [16, 3 + 3, 15] and lap[-1][-1] == lap[0][0]
    assert [{hop[0][axis] == hop[1][axis] for hop in loops[:3]} for axis in (0, 1)] == [{0}, {1}]
    shown = [why.at(4, time).strokes for time in (0.1, 1.0)]
    assert [len([line for line in strokes if line.color == "now"]) for strokes in shown][1] == 21
    drawn = [why.at(1, time).strokes for time in (0.2, 1.0)]
    lit = [sum(line.color == "now" for line in strokes) for strokes in drawn]
    assert 0 < lit[0] < lit[1] == 16, "and back to where it began"


@pytest.mark.parametrize("ranks", [3, 4, 6, 16])
def test_parts_go_to_servers_and_back_with_one_message_a_port_at_a_time(ranks):
    recording = record("all_reduce", "parameter_server", ranks=ranks)
    (why,) = (w for w in whys(recording) if any("servers each" in text for text in w.sentences))
    flown = why.picture.parts[2][0]
    for turn in range(2 * ranks):
        now = [hop for hop, at in flown.turns.items() if at == turn]
        assert len({src for src, *_ in now}) == len({dst for _, dst, _ in now}) == ranks
        assert {step for *_, step in now} == {turn // ranks}
    edges = [box.edge for box in flown.drawn(why.room, 1, 0.3).boxes]
    assert edges.count("now") == ranks


@pytest.mark.parametrize("algorithm", ["double-binary-tree", "sharp"])
def test_a_step_of_waves_is_as_wide_as_its_bytes_take(algorithm):
    """Of two trees no less than by the closed form; of switches each step passes one message."""
    told = whys(record("all_reduce", algorithm, ranks=8))
    (lanes,) = [why.picture for why in told if isinstance(why.picture, WaveLanes)]
    seen = 2 if algorithm == "double-binary-tree" else 4
    for waves, way in zip((seen, 6), lanes.cuts, strict=True):
        least = most = (waves + 3) / waves  # up and down two levels, one wave after the other
        if algorithm == "double-binary-tree":
            row, chunks = ("all_reduce", algorithm), 2 * waves
            played = record(*row, ranks=8, chunks=chunks, count=8 * chunks)
            least = float(closed_form(played).busiest_port)
            most = 1.08 * least  # messages of two chunks share ports with those of one
        assert least - 1e-9 <= way.ends[-1] <= most + 1e-9


@pytest.mark.parametrize(
    ("row", "ranks"), [(("reduce", "tree"), 9), (("all_to_all", "tournament"), 7)]
)
def test_one_vector_is_no_vectors(row, ranks):
    said = [text for why in whys(record(*row, ranks=ranks)) for text in why.sentences]
    assert any(re.search(r"\b1 vector\b", text) for text in said)
    assert not any(re.search(r"\b1 vectors\b", text) for text in said)


def test_nothing_is_said_that_the_machine_does_not_have():
    for collective, algorithm, told in (
        ("all_reduce", "swing", "cable"),
        ("all_gather", "pat", "top link"),
    ):
        recording = record(collective, algorithm, ranks=8)
        home, box = (
            " ".join(
                text
                for why in usual_board(recording, machine, sheet=SHEETS["film"]).whys
                for text in why.sentences
            )
            for machine in (None, topology("hgx-h100", 8))
        )
        assert told in home and told not in box


ON_MACHINES = [*CASES, *((find_row("all_reduce", "two_shot"), n) for n in (3, 4, 5, 6, 12, 16))]


@each(("row", "ranks"), ON_MACHINES, lambda case: f"{case[0].title} on {case[1]}", few=12)
def test_what_is_said_only_on_a_machine_is_true_of_it(row, ranks):
    """As the size below which one-shot is faster than two-shot."""
    recording = record(row.collective, row.algorithm, ranks=ranks)
    timing = lockstep(recording, usual_machine(recording))
    bare = {text for why in whys(recording) for text in why.sentences}
    for why in whys_of(recording, phrases("en"), SHEETS["lecture"], timing):
        for before, said in pairwise(("", *why.sentences)):
            assert said in bare or is_true(Played(recording), said, before), said


@pytest.mark.parametrize("ranks", [3, 8, 16])
def test_two_shot_says_below_which_size_one_shot_is_faster(ranks):
    board = usual_board(record("all_reduce", "two_shot", ranks=ranks), sheet=SHEETS["film"])
    said = board.whys[-1].sentences[-1]
    assert said.startswith("Below ") and is_true(Played(board.counted.asked), said)
    longer = []
    for time in (0.0, 0.3, 1.0):  # above that size, at it, and below it
        drawn, bars = board.whys[-1].at(3, time), Counter()
        for box in drawn.boxes:
            bars[box.box.y] += box.box.width * (box.box.height > 60)  # not of a frame
        one, two = filter(None, bars.values())
        longer.append(round(one - two))
        place = next(line.text for line in drawn.lines if line.text.startswith("At "))
        assert (place.removeprefix("At ") in said) == (time == 0.3)
    assert longer[0] > 0 == longer[1] > longer[2]
    assert bool(drawn.areas) == (ranks <= 8), "a formula, where links have one bandwidth"


@pytest.mark.parametrize(
    ("row", "ranks"), [("dissemination", 8), ("dissemination", 6), ("tree", 6)]
)
def test_who_waits_at_a_barrier_names_a_rank_that_then_tells_it(row, ranks):
    recording = record("barrier", row, ranks=ranks)
    why = whys(recording)[-1]
    sent = {pair for step in recording.steps for pair in zip(step.src, step.dst, strict=True)}
    waits = [(other, rank, until) for rank, _, until, other in why.picture.bars if other >= 0]
    assert len(waits) >= ranks
    for other, rank, until in waits:
        busy = [(start, end) for node, start, end, on in why.picture.bars if node == other > on]
        assert rank == other or (other, rank) in sent
        assert other == rank or not any(start < until < end for start, end in busy)
    texts = [line.text for line in why.at(1, 1.0).lines if "aits for" in line.text]
    assert len(texts) == ranks - 1


def test_a_halo_of_twice_as_many_ranks_is_drawn_below_it():
    *_, (why,) = (whys(record("send_recv", "halo_exchange", ranks=ranks)) for ranks in (4, 6))
    assert why.sentences[-1].startswith("Twice as many ranks, blocks as large: still one step")
    assert why.picture.rows == ("6 ranks: 1 step, 2 edges each", "12 ranks: 1 step, 2 edges each")
    blocks = [box for box in why.at(why.items, 1.0).boxes if box.color.startswith("rank ")]
    rows = Counter(box.box.y for box in blocks)
    assert list(rows.values()) == [6, 12]


@pytest.mark.parametrize(("ranks", "far"), [(8, "1, 4, 16"), (16, "1, 4, 16, 64")])
def test_far_messages_are_counted_step_by_step(ranks, far):
    (why,) = (
        why
        for why in whys(record("all_gather", "pat", ranks=ranks))
        if "pass the top link" in " ".join(why.sentences)
    )
    assert f"Its largest go farthest: {far} chunks pass the top link." in why.sentences
    steady = f"PAT begins far, with one chunk each: {ranks // 2} pass the link in every step."
    assert steady in why.sentences


@pytest.mark.parametrize("ranks", [8, 16])
def test_what_passes_a_link_in_each_step_stands_above_it(ranks):
    why, *_ = whys(record("all_gather", "pat", ranks=ranks))
    said = next(text for text in why.sentences if "pass the top link" in text)
    spoken = re.findall(r"\d+", said)
    texts = [line.text for line in why.at(2, 1.0).lines]
    row = texts[texts.index("↑") + 1 :]
    assert row[: len(spoken)] == spoken


@pytest.mark.parametrize(
    ("algorithm", "ranks", "first", "asked"),
    [
        ("bruck", 7, 2, "Where do the missing chunks lie?"),
        ("bruck", 16, 2, "Where do the missing chunks lie?"),
        ("pat", 8, 3, "What if far ones come first?"),
    ],
)
def test_the_answer_stands_under_a_question_of_its_own(algorithm, ranks, first, asked):
    why, *_ = whys(record("all_gather", algorithm, ranks=ranks))
    shown = [why.asked().at(item, 0.5).lines[-3:] for item in range(1, why.need + 1)]
    above = [asked in {line.text for line in lines} for lines in shown]
    assert above == [item >= first for item in range(1, why.need + 1)]
    assert asked not in {line.text for line in why.at(why.items, 0.5).lines}


def test_distances_are_counted_when_they_are_told():
    """Who has what is missing is seen first, of two steps and without a number."""
    why, *_ = whys(record("all_gather", "bruck", ranks=7))
    both = [[line.text for line in why.at(item, 1.0).lines] for item in (2, 3)]
    assert not any(text.startswith("distance") for text in both[0])
    assert [f"distance {far}: + {came}" in both[1] for far, came in ((1, 1), (2, 2), (4, 3))]


@pytest.mark.parametrize(
    ("row", "ranks", "reached", "counted"),
    [
        (("broadcast", "tree"), 8, "16   32   64   128   256   512   1024", "10"),
        (("barrier", "dissemination"), 6, "16   32   64   128   256   512   1024", "10"),
        (("all_reduce", "tree"), 16, "32   64   128   256   512   1024", "20"),
        (("barrier", "dissemination"), 8, "16   32   64   128   256   512   1024", "10"),
    ],
)
def test_doubling_goes_on_to_a_thousand(row, ranks, reached, counted):
    (why,) = (
        why for why in whys(record(*row, ranks=ranks)) if "a thousand" in " ".join(why.sentences)
    )
    item = next(k for k, text in enumerate(why.sentences, 1) if "a thousand" in text)
    texts = {line.text for line in why.at(item, 1.0).lines}
    assert {reached, counted} <= texts
    assert not {reached, counted} & {line.text for line in why.at(item, 0.2).lines}


def test_who_must_wait_for_a_turn_is_marked():
    """As often as a rank that has still to send has no turn; where no two meet nobody waits."""
    why, *_ = whys(record("all_to_all", "pairwise", ranks=6))
    red = [sum(box.edge == "wrong" for box in why.at(item, 1.0).boxes) for item in (3, 4)]
    sends = list(with_queues(6))
    ends = {src: turn for src, _, turn in sends}
    assert red == [sum(ends.values()) + 6 - len(sends)] * 2


@pytest.mark.parametrize(("wide", "high"), [(80, 20), (20, 80)])
def test_parts_of_a_cell_divide_its_longer_side(wide, high):
    (why,) = whys(record("scatter", "tree", ranks=8))
    cell = Box(0, 0, wide, high)
    stripes = [why.picture.stripe(cell, part) for part in range(8)]
    assert all(min(stripe.width, stripe.height) > 7 for stripe in stripes)
    assert not any(one.overlaps(other) for one, other in pairwise(stripes))
