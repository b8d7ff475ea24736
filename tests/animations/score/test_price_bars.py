"""The pictures of a price: its parts are those of the clock, its bars as long, on the page."""

import re

import pytest

pytest.importorskip("cairo")  # measures text

from animations.drawing.shapes import Box
from animations.drawing.sheet import FILM, SHEETS
from animations.score.price import price_of
from animations.score.price_account import AT_LENGTH, OBVIOUS, SHORTEST
from animations.story.usual import usual_board
from animations.whys.cost_bars import (
    BYTES,
    HALT,
    ON,
    RIVAL,
    STARTS,
    TURN,
    TURNED,
    VERDICT,
)
from animations.whys.waves import waves_of
from animations.whys.why import SHORT, SMALLEST
from collectives import record
from collectives.catalog import find_row
from collectives.comparison.compare import compare
from collectives.cost.choose.channels import timed_as_run
from collectives.cost.choose.rivals import at_size
from collectives.cost.choose.setup import emptied, resized
from collectives.cost.clocks.clock import lockstep
from collectives.cost.machines import topology
from collectives.cost.machines.usual import usual_machine
from collectives.units import time_text

BORDER = r"(?:Above|Below) (\d[\d.]* .iB),"
TURNING = [
    ("all_reduce", "ring", 8),
    ("all_reduce", "tree", 8),
    ("all_reduce", "rabenseifner", 8),
    ("all_reduce", "hierarchical", 16),
    ("all_reduce", "bcube", 16),
    ("all_reduce", "swing", 8),
    ("all_reduce", "tree", 16),
    ("all_to_all", "bruck", 8),
    ("all_gather", "pat", 8),
]
CASES = [
    ("all_reduce", "ring", 8, "«1|14 alpha» + «2|1.75 frac(S, B)»"),
    ("all_reduce", "double_binary_tree", 8, "«1|23 alpha» + «2|2.29 frac(S, B)»"),
    ("all_reduce", "hierarchical", 16, ""),
    ("barrier", "dissemination", 8, "«1|3 alpha»"),
    ("send_recv", "ping_pong", 4, "«1|2 alpha» + «2|2 frac(S, B)»"),
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
    best, asked = board.trade.best, True
    if (first := board.trade.first.value) and not board.trade.obvious.value:
        best, asked = first.bars[0], False
    assert own.seconds == pytest.approx(best.seconds if best else board.counters[-1].values[-1])
    assert own.steps == (best or board).steps
    assert best or own.latency == pytest.approx(bare.total)
    assert " ".join(own.source.split()) == " ".join(formula.split())
    rivals = board.trade.others
    if ways := board.trade.obvious.value:
        rivals = [*ways, *(row for row in rivals if row.seconds < own.seconds and not row.close)]
    elif not asked:
        rivals = first.bars[1:]
    assert [cost.seconds for cost in others] == pytest.approx([row.seconds for row in rivals])
    assert all(cost.name.startswith(row.name) for cost, row in zip(others, rivals, strict=True))
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


@pytest.mark.parametrize(
    ("collective", "algorithm", "said", "brief"),
    [
        (
            "all_reduce",
            "recursive_doubling",
            "The ring, 8 chunks: 18.1 µs, as it takes 14 starts, not 3.",
            "The ring, 8 chunks: 18.1 µs, as it takes 14 starts, not 3.",
        ),
        (
            "all_reduce",
            "sharp",
            "The ring: 2.4 ms, as 1.75 vectors pass a port, not 1.",
            "1.47 ms. The ring: 2.4 ms.",
        ),
        (
            "barrier",
            "dissemination",
            "The tree: 6 µs, as it takes 3 starts up and 3 down.",
            "3 µs. The tree: 6 µs.",
        ),
        (
            "broadcast",
            "tree",
            "The ring, 4 chunks: 15.8 µs, as it takes 10 starts, not 3.",
            "The ring, 4 chunks: 15.8 µs, as it takes 10 starts, not 3.",
        ),
        (
            "broadcast",
            "van_de_geijn",
            "The tree: 58.9 µs, as 3 vectors pass a port, not 1.75.",
            "At 8 MiB, it takes 42.6 µs. The tree: 58.9 µs.",
        ),
    ],
)
def test_each_rival_has_a_total_and_a_reason(collective, algorithm, said, brief):
    board = board_of(collective, algorithm, 8)
    page, first = price_of(board).page, board.trade.first.value
    row = first.bars[1] if first else board.trade.others[0]
    own, cost, *_ = page.picture.costs
    assert said in page.sentences and page.brief == brief
    assert re.match(rf"{row.name}(, \d+ chunks)?: {cost.time}, as ", said)
    assert cost.seconds == pytest.approx(row.seconds)
    counted = [float(number) for number in re.findall(r"[\d.]+(?= vectors? | starts?|, not)", said)]
    if "vectors" in said:
        assert counted[0] == pytest.approx(row.bytes / row.size)
        assert own.seconds < cost.seconds and said.endswith(f", not {own.vectors:g}.")
    elif "down" in said:
        assert said.endswith(f"{cost.steps // 2} starts up and {cost.steps // 2} down.")
    else:
        assert said.endswith(f"{cost.steps} starts, not {own.steps}.")


@pytest.mark.parametrize(
    ("collective", "algorithm", "ranks", "size", "counted"),
    [
        ("all_gather", "pat", 5, 1 << 20, (0, 1)),
        ("all_reduce", "swing", 6, 0, (1, 4)),
        ("all_reduce", "swing", 10, 0, (1, 5)),
    ],
)
def test_vectors_of_a_shared_link_are_counted_not_timed(
    collective, algorithm, ranks, size, counted
):
    """Those of the busiest link of each step, though its messages may start apart."""
    recording = record(collective, algorithm, ranks=ranks)
    recording = resized(recording, size) if size else recording
    page = price_of(usual_board(recording, sheet=FILM)).page
    row, vectors = counted
    cost, said = page.picture.costs[row], page.sentences[2 * row]
    assert cost.place == "link" and cost.vectors == pytest.approx(vectors, rel=1e-5)
    assert f"{vectors} vector" in said and (not cost.source or f"|{vectors} frac" in cost.source)


@pytest.mark.parametrize("ranks", [6, 8])
def test_waves_and_the_price_are_of_one_clock(ranks):
    """What it takes more than what passes a port is said to be idle links."""
    board = board_of("all_reduce", "double_binary_tree", ranks)
    price = price_of(board, AT_LENGTH).page.picture
    own, played = price.costs[0], board.counted.asked
    cut = waves_of(played, len(price.spans), 2)
    taken = own.moved * board.setup_times.speed / board.size  # in how many vectors' time
    assert cut.ends[-1] == pytest.approx(taken, rel=1e-3)
    assert f"{taken:.3g} frac" in own.source
    idle = f"2 vectors + {taken - 2:.2g} of idle links: "
    assert taken > own.vectors and price.labels[0][1].startswith(idle)


@pytest.mark.parametrize(
    ("algorithm", "names"),
    [("nvls", ["wave 0", "wave 28"]), ("sharp", ["chunk 0", "chunk 62"])],
)
def test_waves_come_with_the_steps_that_are_counted(algorithm, names):
    picture = price_of(board_of("all_reduce", algorithm, 8), AT_LENGTH).page.picture
    room, waves = Box(900, 500, 1800, 700), len(picture.spans)
    count = sum(last + 1 - begin for begin, last in picture.spans)

    def lanes(time):
        drawn = picture.drawn(room, 1, time)
        come = [box.box for box in drawn.boxes if box.color == "faint"]
        whole = [box.box for box in drawn.boxes if box.color == "line" and box.radius == 2]
        assert [line.text for line in drawn.lines if line.color == "faint"] == names
        return whole, [box.width / all_of.width for box, all_of in zip(come, whole, strict=True)]

    whole, none = lanes(0.0)
    assert len(whole) == count and none == [0.0] * count
    _, some = lanes(0.2)
    firsts = [sum(last + 1 - begin for begin, last in picture.spans[:k]) for k in range(waves)]
    begun = [some[first] for first in firsts]  # of each the first step
    assert begun == sorted(begun, reverse=True) and begun[0] == 1 and some[-1] == 0
    assert lanes(0.5)[1] == [pytest.approx(1.0)] * count


def test_the_halving_ends_beside_the_ring_that_one_would_choose():
    board = board_of("all_reduce", "rabenseifner", 8)
    page, (ring,) = price_of(board).page, board.trade.obvious.value
    assert "The ring: 275 µs, as it takes 14 starts, not 6." in page.sentences
    (alone,) = price_of(board_of("all_reduce", "ring", 8)).page.picture.costs[:1]
    assert ring.seconds == pytest.approx(alone.seconds)
    (name,) = board_of("all_reduce", "rabenseifner", 8, "zh").trade.obvious.value
    assert name.name.startswith("环形")


def test_a_film_for_short_vectors_begins_where_it_wins_and_ends_where_it_loses():
    """As it is executed at both sizes, each rival with its best chunks there."""
    page = price_of(board_of("broadcast", "tree", 8)).page
    assert page.sentences[0] == "It is for short vectors: at 1 MiB, 9.99 µs with 3 starts."
    assert page.aside == "On an HGX box with 1 MiB"
    assert page.sentences[-1] == "Above about 4 MiB, the ring beats the tree: 1 vector, not 3."
    own, ring = page.picture.costs
    assert own.seconds < ring.seconds and ring.steps == 6 + 4, "four chunks down seven links"
    there = page.picture.elsewhere
    assert there.place == "At 64 MiB" and there.before == (own, ring)
    assert there.costs[1].steps == 6 + 30 and there.costs[0].seconds > there.costs[1].seconds
    assert "1.2 frac" in there.costs[1].source and "3 frac" in there.costs[0].source


@pytest.mark.parametrize(
    ("collective", "algorithm", "ranks", "said"),
    [
        ("scan", "recursive_doubling", 8, "The chain: 8.02 µs, as it takes 7 starts, not 3."),
        ("all_gather", "bruck", 7, "The ring: 6.5 µs, as it takes 6 starts, not 3."),
        ("all_reduce", "torus_2d", 16, "The snaking ring: 160 µs, as it takes 30 starts, not 12."),
    ],
)
def test_two_that_differ_by_their_starts_are_compared_where_starts_decide(
    collective, algorithm, ranks, said
):
    board = board_of(collective, algorithm, ranks)
    page, size = price_of(board).page, board.trade.first.value.bars[0].size
    assert said in page.sentences and size & (size - 1) == 0
    own = page.picture.costs[0]
    assert own.latency >= 3.99 * own.moved > 0.4 * own.latency, "the largest of such powers of two"


def test_the_way_out_of_one_server_is_executed_with_as_many_servers_as_ranks():
    page = price_of(board_of("all_reduce", "parameter_server", 6)).page
    assert "6 servers: 300 µs, as only 2 vectors pass in turn, not 12." in page.sentences
    unit = (60 << 20) / 450e9
    assert page.picture.costs[1].seconds == pytest.approx(2e-6 + 2 * unit, rel=0.1)
    assert page.sentences[0] == "12 whole vectors pass in turn: 1.79 ms."


def test_what_goes_up_a_tree_and_down_again_has_arrows():
    page = price_of(board_of("barrier", "dissemination", 8)).page
    drawn = page.picture.drawn(Box(900, 500, 1800, 700), 2, 1.0)
    assert "".join(line.text for line in drawn.lines if line.color == "now_ink") == "↑↑↑↓↓↓"
    assert len(drawn.boxes) == 3 + 6, "one start beside the other"


def test_who_is_beaten_at_its_own_size_is_so_by_the_one_that_is_named():
    page = price_of(board_of("all_gather", "pat", 8)).page
    own, bruck, ring = page.picture.elsewhere.costs
    assert bruck.seconds > own.seconds > ring.seconds
    said = f"{page.sentences[-1]}"
    assert said.startswith("Above 1.8 MiB, the ring beats PAT")
    assert f"{ring.vectors:g} vectors" in said and f"not {own.vectors:g}." in said


@pytest.mark.parametrize(("ranks", "alpha"), [(6, 6), (8, 6), (16, 8)])
def test_where_every_step_waits_for_as_long_that_is_the_latency_of_its_formula(ranks, alpha):
    board = board_of("all_gather", "pat", ranks)
    picture = price_of(board).page.picture
    assert not board.setup_times.latency, "messages below one switch come sooner"
    assert f"(α = {alpha} µs)" in picture.labels[0][0]
    for cost in picture.costs:
        assert cost.source.startswith(f"«1|{cost.steps} alpha»")
        assert cost.starts == pytest.approx([alpha * 1e-6] * cost.steps)
    uneven = board_of("all_reduce", "hierarchical", 8)
    assert uneven.setup_times.start == uneven.setup_times.latency == 0


@pytest.mark.parametrize(
    ("algorithm", "ranks", "vectors"),
    [("ring", 4, 6), ("ring", 8, 14), ("tree", 8, 14), ("ring", 16, 15)],
)
def test_half_a_minute_ends_on_the_failure_with_which_it_opens(algorithm, ranks, vectors):
    """Timed as it is run: of more than a node each of its two steps brings all but one vector."""
    board = board_of("all_reduce", algorithm, ranks)
    page = price_of(board, OBVIOUS).page
    own, other = page.picture.costs
    linear = record("all_reduce", "linear", ranks=ranks)
    both = resized(linear, board.size), board.counted.topology
    assert other.seconds == pytest.approx(lockstep(*both).total) and other.vectors == vectors
    assert other.seconds > own.seconds and own.time == time_text(own.seconds, 3)
    assert page.brief == f"{own.time}. One port: {other.time}."
    assert board.whys[0].brief.split()[0].lower() in {"three", "seven", "15"}


def test_hops_are_not_called_crossings_where_there_are_no_nodes():
    for ranks in (8, 16):
        assert "crossing" not in price_of(board_of("broadcast", "bine", ranks)).page.sentences[-1]
    said = price_of(board_of("broadcast", "bine", 8)).page.sentences[-1]
    assert said == "On a ring of links with 1 MiB, Bine wins: 5 hops, not 7."
    page = price_of(board_of("broadcast", "bine", 8)).page  # whose latency is another one there
    assert not any(cost.source for cost in page.picture.elsewhere.costs)


def test_starts_of_two_lengths_are_counted_below_their_bar():
    """In each step of the ring something crosses, here only in two."""
    recording = record("all_reduce", "hierarchical", ranks=16, parameters={"gpus": 8})
    page = price_of(usual_board(recording, sheet=FILM)).page
    own, ring = page.picture.costs
    assert page.picture.labels[0][0] == "16 starts, 14 × 1 µs + 2 × 2 µs: 18 µs"
    assert {round(start * 1e6) for start in own.starts} == {1, 2}
    assert len(ring.starts) == 30 and {round(start * 1e6) for start in ring.starts} == {2}


def test_who_beats_both_rivals_in_between_is_drawn_there():
    page = price_of(board_of("broadcast", "van_de_geijn", 8)).page
    there = page.picture.elsewhere
    assert page.aside.endswith("with 8 MiB") and page.picture.items[-1] == TURN
    costs = page.picture.costs
    assert min(costs, key=lambda cost: cost.seconds) is costs[0]
    assert [cost.name for cost in costs[1:]] == ["The tree", "The ring, 11 chunks"]
    assert there.place == "At 64 MiB" and there.costs[2].name == "The ring, 30 chunks"


@pytest.mark.parametrize("collective", ["broadcast", "reduce"])
def test_who_is_beaten_by_a_way_that_goes_further_is_drawn_where_it_wins(collective):
    """Both rivals have a bar there, whoever has a sentence, and where they win is said."""
    page = price_of(board_of(collective, "split_binary", 8), SHORTEST).page
    costs, there = page.picture.costs, page.picture.elsewhere
    assert page.aside.endswith("with 2 MiB") and page.picture.items.count(RIVAL) == 1
    assert page.sentences[0] == "At 2 MiB, 6 starts, 1.5 vectors and 0.5 idle: 15.3 µs."
    assert [cost.name for cost in costs[1:]] == ["The binary tree, 4 chunks", "The ring, 5 chunks"]
    assert min(costs, key=lambda cost: cost.seconds) is costs[0]
    last = [line.text for line in page.at(page.picture.items.index(RIVAL) + 1, 1.0).lines]
    assert {cost.name for cost in costs} <= {*last}
    assert (
        there.place == "At 64 MiB" and min(c.seconds for c in there.costs) == there.costs[2].seconds
    )
    assert page.sentences[-1] == (
        "Below 220 KiB, the binary tree beats it; above 15 MiB, the ring does."
    )
    asked, rows = (
        record(collective, "split_binary", ranks=8),
        ("split-binary", "binary-tree", "ring"),
    )
    for size, ahead in ((200, 1), (256, 0), (14 << 10, 0), (17 << 10, 2)):
        every = [find_row(collective, name) for name in rows]
        runs = at_size(asked, usual_machine(asked), every, size << 10)
        times = [run.seconds for run in runs]
        assert times.index(min(times)) == ahead, size


def test_chunks_of_a_pipeline_are_drawn_in_the_steps_in_which_they_move():
    page = price_of(board_of("all_reduce", "double_binary_tree", 8)).page
    assert page.sentences[0] == "18 waves of 2 chunks: 6 steps first, then 17 more: 364 µs."
    spans = page.picture.spans
    assert spans == tuple((start, start + 5) for start in range(18))
    assert spans[-1][1] + 1 == page.picture.costs[0].steps


def test_a_rival_whose_messages_pass_more_links_has_a_multiple_of_the_latency():
    own, ring, *_ = price_of(board_of("all_reduce", "nvls", 8)).page.picture.costs
    assert "32 alpha" in own.source and "14 dot 2 alpha" in ring.source
    assert ring.latency / ring.steps == pytest.approx(2 * own.latency / own.steps)


@pytest.mark.parametrize(
    ("collective", "algorithm", "said", "place"),
    [
        (
            "all_reduce",
            "tree",
            "Above 830 KiB, the ring beats the tree.",
            "At 64 MiB",
        ),
        (
            "all_reduce",
            "two_shot",
            "At 64 MiB, both take about as long: bytes outweigh starts.",
            "At 64 MiB",
        ),
    ],
)
def test_bars_go_where_the_verdict_says_and_are_as_long_as_times_there(
    collective, algorithm, said, place
):
    board = board_of(collective, algorithm, 8)
    page, first = price_of(board).page, board.trade.first.value
    there = (first and first.back) or board.trade.others[0].there
    assert page.sentences[-1] == said
    drawn = page.picture.drawn(Box(900, 500, 1800, 700), page.items, 1.0)
    assert place in drawn.lines[-1].text
    rows = dict[float, float]()
    for box in drawn.boxes:
        if box.box.height > 50:  # no side of a frame
            rows[box.box.y] = rows.get(box.box.y, 0.0) + box.box.width
    lengths = [rows[y] for y in sorted(rows)]
    times = [row.seconds for row in (there.own, there.rival)]
    assert lengths[0] / lengths[1] == pytest.approx(times[0] / times[1], rel=0.01)
    asides = [line.text for line in page.at(page.items, 1.0).lines if line.align == "right"]
    assert page.aside not in asides  # it names the size of the bars before


def test_bytes_inside_nodes_and_between_them_have_tones_and_times_of_their_own():
    page = price_of(board_of("all_reduce", "hierarchical", 16), AT_LENGTH).page
    assert page.sentences[0] == "14 starts take 1 µs each, 2 farther ones 2 µs: 18 µs."
    assert page.sentences[1] == "32.6 µs inside nodes, 21 µs between; with starts, 71.6 µs."
    assert page.sentences[2] == "The ring, 8 channels: 99.3 µs; starts decide: 60 µs, not 18 µs."
    own, ring = page.picture.costs
    assert ring.moved < own.moved and ring.seconds > own.seconds, "by its starts alone"
    assert page.sentences[3].endswith("the ring wins, as both kinds of links work at once.")
    room = Box(900, 500, 1800, 700)
    assert page.picture.drawn(room, page.items, 1.0).lines[-1].text == "At 128 MiB"
    own, boxes = page.picture.costs[0], page.picture.drawn(room, 2, 1.0).boxes
    tones = [
        sum(box.box.width for box in boxes if box.color == f"rank {k}" and box.box.y < 500)
        for k in (0, 1)
    ]
    short, over_long = own.moved_by_links(own)
    assert tones[0] / tones[1] == pytest.approx(short / over_long, rel=0.01)


@pytest.mark.parametrize(
    ("collective", "algorithm", "ranks", "rows", "part"),
    [
        ("all_reduce", "ring", 8, ["14 starts: 14 µs", "3 starts: 3 µs"], 0),
        ("all_reduce", "tree", 8, ["6 vectors: 895 µs", "1.75 vectors: 261 µs"], 1),
        ("all_reduce", "hierarchical", 16, ["between nodes: 336 µs", "between nodes: 629 µs"], 1),
        (
            "all_reduce",
            "swing",
            8,
            ["bytes: 2.68 ms", "bytes: 2.35 ms"],
            1,
        ),  # and of a third row none
        ("all_reduce", "two_shot", 8, [], 0),  # as long
    ],
)
def test_what_decides_is_framed_when_bars_have_turned(collective, algorithm, ranks, rows, part):
    page = price_of(board_of(collective, algorithm, ranks)).page
    there, room = page.picture.elsewhere, Box(900, 500, 1800, 700)
    parts = slice(1) if part == 0 else slice(1, None)
    deciding = [text for labels in there.labels[:2] for text in labels[parts] if text]
    assert there.deciding == (deciding if rows else []) and set(rows) <= set(there.deciding)
    counts = [len(page.picture.drawn(room, page.items, time).boxes) for time in (0.55, 1.0)]
    assert counts[1] > counts[0] if rows else counts[0] == counts[1]


@pytest.mark.parametrize(("collective", "algorithm", "ranks"), TURNING)
def test_bars_halt_as_they_turn_where_the_verdict_puts_its_border(collective, algorithm, ranks):
    """The border is computed of timings; bars that grow with the size are equally long there."""
    page = price_of(board_of(collective, algorithm, ranks)).page
    there, room = page.picture.elsewhere, Box(900, 500, 1800, 700)
    halt = TURNED * (HALT + ON) / 2
    place = page.picture.drawn(room, page.items, halt).lines[-1].text
    assert place == f"At {re.search(BORDER, page.sentences[-1])[1]}"
    own, rival = there.at(there.way(halt))[0], there.at(there.way(halt))[there.winner]
    assert own.seconds == pytest.approx(rival.seconds, rel=1e-6)
    first = page.picture.drawn(room, page.items, 0.0).lines[-1].text
    last = page.picture.drawn(room, page.items, 1.0).lines[-1].text
    assert len({first, place, last}) == 3 and first == there.named(there.sizes[0])


def test_no_size_is_counted_where_chunks_change_with_it():
    page = price_of(board_of("broadcast", "tree", 8)).page
    there, room = page.picture.elsewhere, Box(900, 500, 1800, 700)
    assert there.sizes[0] != there.sizes[1] and not there.grows
    places = {page.picture.drawn(room, page.items, time / 9).lines[-1].text for time in range(10)}
    assert places == {"At 64 MiB"}
    assert there.labels[1] == ("36 starts: 36 µs", "1 vector + 0.2 of idle links: 179 µs")


def test_a_rival_has_the_tones_and_the_names_of_its_parts():
    page = price_of(board_of("all_reduce", "hierarchical", 16)).page
    assert page.picture.labels[1] == ("30 starts: 60 µs", "", "between nodes: 39.3 µs")
    boxes = page.picture.drawn(Box(900, 500, 1800, 700), page.items - 1, 1.0).boxes
    assert {box.color for box in boxes if box.box.y > 500} == {"now", "rank 0", "rank 1"}
    ring = price_of(board_of("all_reduce", "swing", 8)).page.picture.labels[1]
    assert ring[0] == "14 hops: 70 µs", "counted as its hops are"


def test_a_pipeline_has_a_sentence_for_its_steps_and_one_for_its_time():
    page = price_of(board_of("all_reduce", "nvls", 8), AT_LENGTH).page
    assert page.sentences[:2] == (
        "29 waves of 8 chunks are best: 4 steps for the first, then 28 more.",
        "1.125 vectors pass a port, idle early and late: together 199 µs.",
    )
    (own, ring), unit = page.picture.costs, (64 << 20) / 450e9
    assert own.latency == pytest.approx(16e-6) and own.moved / unit == pytest.approx(1.22, abs=5e-3)
    assert ring.name == "The ring, 2 links in each step"
    trees = price_of(board_of("all_reduce", "nvls_tree", 16), AT_LENGTH).page
    assert trees.sentences[:2] == (
        "20 waves of 8 chunks are best: 6 steps for the first, then 19 more.",
        "Links inside and between nodes work at once: 206 µs, with starts 250 µs.",
    )
    assert trees.picture.costs[0].latency == pytest.approx(4 * 500e-9 + 21 * 2e-6)


def test_waves_pass_links_inside_and_between_nodes_at_once_where_that_is_said():
    """As counted in a recording of as many waves as are priced."""
    waves = record("all_reduce", "nvls_tree", ranks=16, chunks=160)
    both = 0
    for step in waves.steps:
        src, dst = step.src[step.src != step.dst], step.dst[step.src != step.dst]
        across = (src < 16) & (dst < 16) & (src // 8 != dst // 8)
        both += across.any() and not across.all()
    assert both > len(waves.steps) / 2
    picture = price_of(board_of("all_reduce", "nvls_tree", 16), AT_LENGTH).page.picture
    one = record("all_reduce", "nvls_tree", ranks=16, chunks=1, parameters={"gpus": 8}).steps
    ends = [{*step.src, *step.dst} for step in one if (step.src != step.dst).any()]
    assert [*picture.crossings] == [max(nodes) < 16 for nodes in ends], "without a switch"
    assert len(picture.ends) == 4 and picture.crossings.count(True) == 2


def test_a_ring_over_a_tree_of_switches_has_a_formula_as_its_steps_take_as_long():
    _, ring = price_of(board_of("all_reduce", "sharp", 8)).page.picture.costs
    assert "14 dot 4 alpha" in ring.source and "1.75" in ring.source


def test_half_the_cables_of_a_torus_wait_and_links_of_a_crossbar_do_not():
    said = price_of(board_of("all_reduce", "torus_2d", 16), AT_LENGTH).page.sentences
    assert said[1].startswith("1.875 vectors pass, while half the cables wait: 9.83 µs")
    page = price_of(board_of("all_reduce", "torus_2d", 16), AT_LENGTH).page
    lit = [box.box for box in page.at(2, 1.0).boxes if box.color == "now" and box.box.height < 30]
    rows, columns = sorted({box.y for box in lit})
    by_step = [box.y for box in sorted(lit, key=lambda box: box.x)]
    assert by_step == 3 * [rows] + 6 * [columns] + 3 * [rows]
    (step, *_), cables = record("all_reduce", "torus_2d", ranks=16).steps, 2 * 16
    assert 2 * len({frozenset(pair) for pair in zip(step.src, step.dst, strict=True)}) == cables
    for algorithm, ranks in (("torus_3d", 8), ("ring", 8), ("recursive_doubling", 4)):
        said = price_of(board_of("all_reduce", algorithm, ranks), AT_LENGTH).page.sentences
        assert not any("cables wait" in text for text in said)
    for machine, ranks in (("hgx-h100", 4), ("fully-connected", 16), ("cluster", 16)):
        torus = record("all_reduce", "torus_2d", ranks=ranks)
        board = usual_board(torus, topology(machine, ranks), sheet=FILM)
        assert not any("cables wait" in text for text in price_of(board).page.sentences), machine


@pytest.mark.parametrize("ranks", [8, 16])
def test_a_rival_of_swing_takes_as_long_as_where_both_are_compared(ranks):
    """By the command that compares them, and in its own film: messages go as they are routed."""
    board = board_of("all_reduce", "swing", ranks)
    page = price_of(board).page
    pair, size = ("swing", "rabenseifner"), page.picture.place.removeprefix("At ") or "64 MiB"
    setup = {"ranks": ranks, "topology": "ring", "size": size.replace(" ", "")}
    both = compare("all_reduce", *pair, **setup).contenders
    costs = page.picture.costs[0], page.picture.costs[-1]
    assert costs[-1].name.startswith("Rabenseifner")
    assert [cost.seconds for cost in costs] == pytest.approx([entry.seconds for entry in both])
    (asked,) = {record("all_reduce", pair[1], ranks=ranks)}
    alone = usual_board(resized(asked, page_size(board)), topology("ring", ranks), sheet=FILM)
    own = price_of(alone).page.picture.costs[0]
    assert (own.seconds, own.vectors) == pytest.approx((costs[-1].seconds, costs[-1].vectors))


def page_size(board):
    """Bytes of the vector of which the price of a film is told first."""
    first = board.trade.begins
    return first.bars[0].size if first else board.size


@pytest.mark.parametrize("counts", [(3, 0, 1, 2), (30, 1, 1, 1, 1, 0)])
def test_unequal_chunks_are_timed_beside_equal_ones_at_a_size_at_which_bytes_count(counts):
    recording = record("all_gather", "ring", ranks=len(counts), counts=counts)
    machine = usual_machine(recording)
    why, *others = usual_board(recording, machine, sheet=SHEETS["film"]).whys
    size = int(re.search(r"(\d+) MiB", why.sentences[-1])[1]) << 20
    assert not others and 32 << 20 < size <= 64 << 20
    share = max(counts) / sum(counts)
    fractions = [share, 1 / len(counts)]
    alpha, beta = 1e-6, 450e9
    times = [(len(counts) - 1) * (alpha + part * size / beta) for part in fractions]
    assert why.sentences[-1].endswith(
        f"take {time_text(times[0], 2)}; cut evenly, {time_text(times[1], 2)}."
    )
    assert price_of(usual_board(recording, machine)) is None
    last = why.at(4, 1.0)
    assert {time_text(time, 2) for time in times} <= {line.text for line in last.lines}
    (bar,) = (box.box.width for box in last.boxes if box.color == "faint")
    assert bar == pytest.approx(times[1] / times[0] * (1800 - 230 - 210), rel=0.001)


def test_colors_of_unequal_chunks_are_theirs_wherever_they_are():
    recording = record("all_gather", "ring", ranks=4, counts=(3, 0, 1, 2))
    board = usual_board(recording, usual_machine(recording), sheet=SHEETS["film"])
    drawn = board.whys[0].at(1, 1.0).boxes
    tallest = max(box.box.height for box in drawn)
    assert [b.color for b in drawn if b.box.height == tallest] == ["rank 0"] * 3
    gather = record("gather", "flat", ranks=4, counts=(3, 0, 1, 2))  # whose root hears from all
    headings = [why.heading for why in usual_board(gather, usual_machine(gather)).whys]
    assert board.whys[0].heading not in headings


def test_a_round_trip_is_measured_and_halved():
    """Of 64 MiB and of 8 bytes; not on more ranks, of which some pairs may be slower."""
    recording = record("send_recv", "ping_pong", ranks=2)
    for machine in (usual_machine(recording), topology("crossbar", 2, latency="3us")):
        board = usual_board(recording, machine, sheet=SHEETS["film"])
        (why,) = board.whys
        short = timed_as_run(resized(recording, 8), machine).total
        times = [board.counters[-1].values[-1], short]
        for item, time in enumerate(times, 2):
            assert time_text(time / 2, 3) in why.sentences[item - 1]
            drawn = {line.text for line in why.at(item, 1.0).lines}
            assert {time_text(time, 3), time_text(time / 2, 3)} <= drawn
        assert price_of(board) is None and why.items == 3
    more = board_of("send_recv", "ping_pong", 6)
    assert "µs" not in more.whys[0].sentences[-1] and price_of(more)


def test_a_rival_that_always_crosses_has_both_kinds_of_links_at_once_and_sizes_grow():
    """They rest at the size above which the verdict says that the rival wins."""
    page = price_of(board_of("all_reduce", "hierarchical", 16), AT_LENGTH).page
    room, last = Box(900, 500, 1800, 700), page.items
    drawn = page.picture.drawn(room, last - 1, 1.0)
    lower = [box for box in drawn.boxes if box.box.y > 500]
    widths = [{box.box.width for box in lower if box.color == f"rank {k}"} for k in (0, 1)]
    assert [len(wide) for wide in widths] == [1, 1]
    assert "edge" not in {box.color for box in lower}
    inside = 7 / 450 / (1 / 50)  # 7 of 8 rings in a link inside, one in a card
    assert widths[0].pop() / widths[1].pop() == pytest.approx(inside)
    places = [page.picture.drawn(room, last, time).lines[-1].text for time in (0.0, 0.3, 1.0)]
    assert places == ["At 8 MiB", "At 24 MiB", "At 128 MiB"] and "24 MiB" in page.sentences[-1]


@pytest.mark.parametrize(("algorithm", "ranks"), [("nvls", 8), ("nvls_tree", 16), ("sharp", 8)])
def test_so_many_waves_are_best_as_more_and_fewer_take_longer(algorithm, ranks):
    board = board_of("all_reduce", algorithm, ranks)
    page = price_of(board, AT_LENGTH).page
    best = int(re.match(r"(\d+) (?:waves|chunks)\b.* are best:", page.sentences[0])[1])
    assert best > 2
    machine, size = board.counted.topology, board.size
    given = board.counted.asked.parameters

    def seconds(number):
        run = record("all_reduce", algorithm, ranks=ranks, chunks=number, parameters=given)
        return lockstep(resized(run, size, run.dtype), machine).total

    assert seconds(best) < min(seconds(best // 2), seconds(2 * best))
    assert seconds(best) <= min(seconds(best - 1), seconds(best + 1)) * (1 + 1e-9)


def test_a_tree_has_a_bar_of_who_needs_fewer_steps_at_both_sizes():
    """Who is faster than the ring in between, so that the ring beats the tree and does not win."""
    page = price_of(board_of("all_reduce", "tree", 8)).page
    picture = page.picture
    assert page.sentences[-2:] == (
        "Recursive doubling: 4.75 µs, as it takes 3 starts, not 6.",
        "Above 830 KiB, the ring beats the tree.",
    )
    for costs, size in ((picture.costs, 1 << 18), (picture.elsewhere.costs, 64 << 20)):
        alone = record("all_reduce", "recursive_doubling", ranks=8)
        swap = lockstep(resized(alone, size, alone.dtype), usual_machine(alone)).total
        assert costs[-1].seconds == pytest.approx(swap) and costs[0].seconds > swap
