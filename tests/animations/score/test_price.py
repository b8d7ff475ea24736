"""The price of an algorithm: its parts are those of the clock, its bars as long, on the page."""

import pytest

pytest.importorskip("cairo")  # measures text

from animations.drawing.shapes import Box
from animations.drawing.sheet import SHEETS
from animations.score.price import price_of
from animations.score.steps import score_of
from animations.story.usual import usual_board
from animations.whys.cost_bars import BYTES, RIVAL, SAME, STARTS, VERDICT, factor
from animations.whys.why import SHORT, SMALLEST, Why
from collectives import record
from collectives.cost.choose.channels import timed_as_run
from collectives.cost.choose.setup import emptied
from collectives.cost.machines.usual import usual_machine

CASES = [
    ("all_reduce", "ring", 8, "«1|2 dot (N - 1) alpha» + «2|frac(2 dot (N - 1), N) frac(S, B)»"),
    ("all_reduce", "double_binary_tree", 8, "«1|23 alpha» + «2|2.29 frac(S, B)»"),
    ("all_reduce", "hierarchical", 16, ""),
    ("barrier", "dissemination", 8, "«1|ceil(log_2 N) alpha»"),
    ("send_recv", "halo_exchange", 6, "«1|  alpha» + «2|  frac(S, B)»"),
]


def board_of(collective, algorithm, ranks, language="en", sheet="film"):
    recording = record(collective, algorithm, ranks=ranks)
    return usual_board(recording, sheet=SHEETS[sheet], language=language)


@pytest.mark.parametrize(("collective", "algorithm", "ranks", "formula"), CASES)
def test_parts_are_those_of_the_clock_and_bars_are_as_long(collective, algorithm, ranks, formula):
    board = board_of(collective, algorithm, ranks)
    price, recording = price_of(board), record(collective, algorithm, ranks=ranks)
    bars = price.page.picture
    own, *others = bars.costs
    bare = timed_as_run(emptied(recording), usual_machine(recording))
    best = board.trade.best
    assert own.seconds == pytest.approx(best.seconds if best else board.counters[-1].values[-1])
    assert own.steps == (best or board).steps
    assert best or own.latency == pytest.approx(bare.total)
    assert " ".join(own.source.split()) == " ".join(formula.split())
    for cost, row in zip(others[:1], board.trade.others, strict=False):
        assert cost.name in (row.name, board.say("cards.cut", name=row.name, chunks=row.how))
    times = sorted(each.seconds for each in board.trade.others)
    assert sorted(each.seconds for each in others) == pytest.approx(times)
    assert price.kinds[0] == STARTS and (BYTES in price.kinds) == (own.moved > 0)
    assert (RIVAL in price.kinds) == bool(board.trade.others)
    room, last = Box(900, 500, 1800, 700), len(price.kinds)
    drawn = bars.drawn(room, last, 1.0).boxes
    lengths = [box.box.width for box in drawn if box.color in ("rank 0", "edge", "now")]
    seconds = [part for cost in bars.costs for part in (cost.latency, cost.moved) if part]
    if price.kinds[-1] == VERDICT:
        unit = lengths[0] / seconds[0]
        assert lengths == pytest.approx([unit * part for part in seconds], rel=1e-6)


@pytest.mark.parametrize("sheet", ["film", "film tall", "4:3"])
def test_a_price_stays_on_the_page_and_comes_piece_by_piece(sheet):
    board = board_of("all_reduce", "double_binary_tree", 8, "es", sheet)
    page = price_of(board).page
    for item in range(1, page.items + 1):
        counts = []
        for time in (0.0, 0.3, 0.8, 1.0):
            drawn = page.at(item, time)
            counts.append(len(drawn.areas) + len(drawn.lines))
            assert all(line.size >= SHORT * SMALLEST - 1e-6 for line in drawn.lines)
            edges = [x for box in drawn.boxes for x in (box.box.left, box.box.right)]
            places = [x for area in drawn.areas for x, _ in area.points]
            assert min(edges + places) >= 0 and max(edges + places) <= page.wide
        assert counts[0] <= counts[-1]


def test_a_film_ends_with_its_price_and_the_verdict():
    score = score_of(board_of("all_reduce", "ring", 8))
    *_, last = score.passages
    assert isinstance(last.shown, Why) and [*dict.fromkeys(s.said for s in last.shots)] == [
        "On an HGX box, 14 starts take 14 µs, bytes 261 µs.",
        "Recursive doubling: 3 starts take 3 µs, but its bytes 447 µs.",
        "Below 3.8 MiB, recursive doubling wins: at 1 MiB 10 µs against 18 µs.",
    ]


@pytest.mark.parametrize(
    ("collective", "algorithm", "reason"),
    [
        ("all_reduce", "recursive_doubling", "bytes"),
        ("all_to_all", "bruck", "bytes"),
        ("all_reduce", "ring", ""),
    ],
)
def test_a_rival_that_is_faster_here_is_said_to_be_so_and_why(collective, algorithm, reason):
    page = price_of(board_of(collective, algorithm, 8)).page
    own, rival, *_ = page.picture.costs
    assert (rival.seconds < own.seconds) == bool(reason)
    assert any(
        f"faster here, as its {reason} take only" in said for said in page.sentences
    ) == bool(reason)
    assert not reason or own.moved - rival.moved > own.latency - rival.latency


def test_a_rival_whose_messages_pass_more_links_has_a_multiple_of_the_latency():
    own, ring, *_ = price_of(board_of("all_reduce", "nvls", 8)).page.picture.costs
    assert "32 alpha" in own.source and "14 dot 2 alpha" in ring.source
    assert ring.latency / ring.steps == pytest.approx(2 * own.latency / own.steps)


@pytest.mark.parametrize(
    ("collective", "algorithm", "said", "place"),
    [
        ("all_reduce", "tree", "Below 830 KiB, the tree wins.", "At 256 KiB"),
        ("all_gather", "bruck", "At 1 MiB, Bruck beats the ring: 5 µs against 9 µs.", "At 1 MiB"),
        (
            "all_reduce",
            "two_shot",
            "At 1 MiB, two-shot beats the ring: 6.1 µs against 18 µs.",
            "At 1 MiB",
        ),
        (
            "all_gather",
            "pat",
            "On a tree of switches, PAT beats Bruck: 2 ms against 3.5 ms.",
            "switches",
        ),
    ],
)
def test_bars_go_where_the_verdict_says_and_are_as_long_as_times_there(
    collective, algorithm, said, place
):
    board = board_of(collective, algorithm, 8)
    page, there = price_of(board).page, board.trade.others[0].there
    assert page.sentences[-1] == said
    drawn = page.picture.drawn(Box(900, 500, 1800, 700), page.items, 1.0)
    assert place in drawn.lines[-1].text
    lengths = [0.0, 0.0]
    for box in drawn.boxes:
        lengths[box.box.y > 500] += box.box.width
    times = [row.seconds for row in (there.own, there.rival)]
    assert lengths[0] / lengths[1] == pytest.approx(times[0] / times[1], rel=0.01)
    asides = [line.text for line in page.at(page.items, 1.0).lines if line.align == "right"]
    assert page.aside not in asides  # it names the size of the bars before


def test_bytes_inside_nodes_and_between_them_have_tones_and_times_of_their_own():
    page = price_of(board_of("all_reduce", "hierarchical", 16)).page
    assert page.sentences[1] == "Its bytes: 261 µs inside nodes, and 168 µs between them."
    own, boxes = page.picture.costs[0], page.picture.drawn(Box(900, 500, 1800, 700), 2, 1.0).boxes
    tones = [
        sum(box.box.width for box in boxes if box.color == f"rank {k}" and box.box.y < 500)
        for k in (0, 1)
    ]
    short, over_long = own.moved_by_links
    assert tones[0] / tones[1] == pytest.approx(short / over_long, rel=0.01)


def test_one_is_no_factor():
    assert factor(1 + SAME / 2).strip() == "" and factor(1.75) == "1.75"


@pytest.mark.parametrize(
    ("row", "ports"),
    [
        (("all_to_all", "pairwise", 6), ""),
        (("all_to_all", "flat", 6), "(5 ports)"),
        (("all_reduce", "torus_2d", 16), "(4 ports)"),  # those of a rank of its machine
    ],
)
def test_no_bar_beats_the_lower_bound_which_names_its_ports(row, ports):
    board = board_of(*row)
    bars, least = price_of(board).page.picture, board.counters[-1].bound
    assert (bars.bound is None) == any(cost.seconds < least for cost in bars.costs)
    assert bars.bound == (least, bars.bound[1]) if ports else not bars.bound
    assert not ports or bars.bound[1].endswith(ports)


def test_half_a_minute_says_what_a_slower_rival_sends_more_through_a_port():
    ring, doubling = (board_of("all_reduce", name, 8) for name in ("ring", "recursive_doubling"))
    sent = [board.counters[1].values[-1] / board.size for board in (ring, doubling)]
    text = price_of(ring).page.brief
    assert text.endswith(f"a port sends {sent[1]:g} vectors, not {sent[0]:g}.")
    assert "starts 6 times, not 3" in price_of(board_of("barrier", "dissemination", 8)).page.brief
