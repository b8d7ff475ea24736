"""Gathered products at once and in pieces: by hand on links of one speed, and where they lose."""

import pytest

from collectives import BadInput, gathered_product, topology
from collectives.cli.commands import cli
from collectives.training.gathered import GatheredProduct, pays_from, product_seconds
from collectives.training.network import Network

LATENCY, BANDWIDTH, FLOPS = 3e-6, 40e9, 300e12
LINKS = {"latency": LATENCY, "bandwidth": BANDWIDTH}


def product(rows, hidden, columns):
    """The time of a product, with tiles counted one by one and memory read number by number."""
    tiles = sum(1 for _ in range(0, rows, 64) for _ in range(0, columns, 64))
    waves = len(range(0, tiles, 132))
    numbers = rows * hidden + hidden * columns + rows * columns
    return max(waves * (2 * 64 * 64 * hidden) / (FLOPS / 132), 2 * numbers / 3.35e12)


@pytest.mark.parametrize("ranks", [2, 4, 8])
@pytest.mark.parametrize(("tokens", "hidden", "columns"), [(64, 512, 4096), (8192, 4096, 14336)])
def test_both_ways_are_those_of_a_clock_by_hand(ranks, tokens, hidden, columns):
    report = gathered_product(
        tokens, hidden, columns, ranks=ranks, topology="crossbar", flops=FLOPS, **LINKS
    )
    share = tokens // ranks
    message = LATENCY + share * hidden * 2 / BANDWIDTH
    piece = product(share, hidden, columns // ranks)
    computed = waited = 0.0
    for number in range(ranks):
        waited += max(0.0, number * message - computed)
        computed = max(computed, number * message) + piece
    whole = (ranks - 1) * message + product(tokens, hidden, columns // ranks)
    cost = report.cost
    assert (cost.at_once, cost.in_pieces) == (pytest.approx(whole), pytest.approx(computed))
    assert cost.exposed == pytest.approx(waited) and cost.gain == pytest.approx(whole / computed)
    assert cost.gather == pytest.approx((ranks - 1) * cost.message)
    assert cost.bytes == tokens * hidden * 2


def test_pieces_never_beat_the_longer_lane_and_lose_no_byte():
    """At best a piece, then the longer of all messages and all further pieces."""
    network = Network(topology("hgx-h100", 8), 8)
    for tokens in (512, 4096, 32768):
        cut = GatheredProduct(tokens, 4096, 14336, network)
        line, whole = cut.in_pieces, cut.at_once
        first = line.lane(0)[0].end
        messages = line.lane(0, network=True)
        assert line.total >= max(8 * first, line.busy + first) - 1e-12
        assert sum(span.recording.bytes_sent[0] for span in messages) == 7 * cut.bytes // 8
        assert whole.exposed == whole.busy and line.exposed <= whole.exposed


def test_where_it_turns_is_between_sizes_that_lose_and_that_pay():
    cut = GatheredProduct(8192, 4096, 14336, Network(topology("hgx-h100", 8), 8))
    turn = pays_from(cut)
    assert not cut.of(turn - 8).pays and cut.of(turn).pays
    assert all(cut.of(8 << power).pays == ((8 << power) >= turn) for power in range(15))
    slow = GatheredProduct(8192, 4096, 14336, Network(topology("cluster", 16), 16))
    assert pays_from(slow) is None and not slow.pays  # one ring leaves a node by one card of eight
    far = Network(topology("crossbar", 2, latency=0.0, bandwidth=1e9), 2)
    assert not GatheredProduct(2, 8192, 64, far).pays


def test_small_products_take_a_wave_or_a_read_of_memory():
    wave = product_seconds(64 * 12, 4096, 64 * 11)
    assert product_seconds(64 * 12, 4096, 64 * 11 + 1) == pytest.approx(2 * wave)
    assert product_seconds(1, 4096, 64 * 132) == pytest.approx(
        4096 * 64 * 132 * 2 / 3.35e12, rel=0.01
    )


def test_the_report_is_a_line_a_table_and_values():
    report = gathered_product(8192, 4096, 14336, ranks=8, topology="hgx-h100")
    text = " ".join(" ".join(map(str, report.lines())).split())
    for words in ("1.26 times as fast", "loses below about 1,480 rows (12.1 MB", "Wang et al."):
        assert words in text
    values = report.as_json()
    assert values["pays_from"] == 1480 and values["cost"]["gain"] == report.cost.gain
    assert [each["tokens"] for each in values["costs"]] == [512, 2048, 4096, 8192, 16384, 32768]
    never = gathered_product(16, 1, 1, ranks=16, topology="cluster")
    assert "loses at every size" in " ".join(map(str, never.lines()))


@pytest.mark.parametrize(
    ("sizes", "ranks", "words"),
    [
        ((8193, 4096, 64), 8, "tokens 8193: 8 ranks have equal shares of the rows; try: 8200"),
        ((8192, 0, 64), 8, "hidden 0"),
        ((8192, 64, 1 << 30), 8, "columns 1073741824"),
        ((8192, 64, 64), 1, "ranks 1"),
        ((8192, 64, "x"), 8, "columns 'x'"),
    ],
)
def test_what_is_no_product_is_refused_in_a_line(sizes, ranks, words):
    with pytest.raises(BadInput, match=words):
        gathered_product(*sizes, ranks=ranks, topology="hgx-h100")


@pytest.mark.parametrize(
    ("words", "text"),
    [
        ("--matmul 8,8 -n 8 --topology hgx-h100", r"matmul \[8, 8\]: must be 3 sizes of a product"),
        ("--matmul 8,8,8 -n 8", "which machine"),
        ("--matmul 8,8,8 -n 8 --topology hgx-h100 --price 3", "--price: --matmul is about one"),
        ("--matmul 8,8,8 --shard S0->R --shape 8 --mesh 2", "--matmul: --shard is about one"),
    ],
)
def test_options_that_do_not_go_together_are_refused(words, text):
    with pytest.raises(BadInput, match=text):
        cli(["train", *words.split()], standalone_mode=False)


def test_a_product_may_have_as_many_rows_as_are_allowed():
    """The rows beside it, which are more, are at most as many."""
    report = gathered_product(1 << 24, 256, 256, ranks=8, topology="hgx-h100")
    assert max(cost.tokens for cost in report.costs) == report.cost.tokens == 1 << 24
