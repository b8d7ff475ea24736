"""The sentences of a price: what an algorithm takes, why, and where a rival is faster."""

import re

import pytest

pytest.importorskip("cairo")  # measures text

from animations.drawing.sheet import FILM, SHEETS
from animations.drawing.theme import THEMES
from animations.pictures.title_cards import card_text
from animations.score.price import price_of
from animations.score.price_account import AT_LENGTH, OBVIOUS, SHORTER, SHORTEST, USUAL
from animations.score.sentences import problem
from animations.score.steps import score_of
from animations.story.trade import partners_of
from animations.story.usual import usual_board
from animations.whys.cost_bars import (
    LAST,
    SAME,
    factor,
)
from animations.whys.why import Why
from collectives import record
from collectives.catalog import find_row
from collectives.cost.choose.rivals import at_size
from collectives.cost.choose.setup import resized
from collectives.cost.machines import topology
from collectives.cost.machines.usual import usual_machine
from collectives.units import time_text


def board_of(collective, algorithm, ranks, language="en", sheet="film"):
    recording = record(collective, algorithm, ranks=ranks)
    return usual_board(recording, sheet=SHEETS[sheet], language=language)


def test_a_film_ends_with_its_price_and_the_verdict():
    score = score_of(board_of("all_reduce", "ring", 8))
    *_, last = score.passages
    assert isinstance(last.shown, Why) and [*dict.fromkeys(s.said for s in last.shots)] == [
        "A message takes 1 µs to start: 14 steps, 14 µs.",
        "1.75 vectors pass a port: 261 µs, together 275 µs.",
        "Rabenseifner's halving: 267 µs in 6 starts; the ring needs only neighbors.",
        "Below 3.8 MiB, recursive doubling beats the ring: 3 starts, not 14.",
    ]
    *_, moves, stands = last.shots
    assert stands.seconds + (1 - LAST) * moves.seconds >= 2.5, "its numbers are read"


@pytest.mark.parametrize("ranks", [8, 16])
def test_one_tree_runs_in_as_many_channels_as_two(ranks):
    """So that it takes longer as it is one tree, not as it leaves a node by one card."""
    board = board_of("all_reduce", "double_binary_tree", ranks)
    (tree,), two = board.trade.obvious.value, board.trade.best
    assert 1 < tree.seconds / two.seconds < 1.5
    assert board.setup_times.machine == tree.times.value.machine


def test_a_film_ends_beside_the_obvious_way_as_it_is_executed():
    """One tree down which everything goes, and all that send to one rank after another."""
    trees = board_of("all_reduce", "double_binary_tree", 8)
    (tree,) = trees.trade.obvious.value
    assert tree.steps == 6 + 35, "36 chunks follow each other down one tree"
    assert tree.bytes == pytest.approx(1.5 * trees.trade.best.bytes, rel=1e-6)


def test_one_that_wins_where_it_was_asked_about_is_compared_there_first():
    for collective, algorithm in (("all_to_all", "pairwise"), ("all_reduce", "rabenseifner")):
        assert board_of(collective, algorithm, 8).trade.first.value is None
    small = record("all_reduce", "recursive_doubling", ranks=8, count=1 << 10)
    assert usual_board(small, usual_machine(small), sheet=FILM).trade.first.value is None


def test_two_that_take_the_same_have_one_sentence():
    score = score_of(board_of("all_to_all", "triangular", 4))
    said = dict.fromkeys(shot.said for shot in score.passages[-1].shots)
    assert list(said) == ["Pairwise exchange takes the same 115 µs: 3 starts and 0.75 vectors."]


@pytest.mark.parametrize(
    ("collective", "algorithm", "ranks"),
    [("all_gather", "ring", 8), ("reduce", "tree", 8), ("all_reduce", "ring", 32)],
)
def test_half_a_minute_ends_on_a_rival_where_no_algorithm_fails_as_shown(
    collective, algorithm, ranks
):
    board = board_of(collective, algorithm, ranks)
    assert price_of(board, OBVIOUS).page.brief == price_of(board).page.brief


def test_ranks_of_a_halving_have_several_partners():
    halving = record("all_reduce", "rabenseifner", ranks=8)
    assert partners_of(zip(s.src, s.dst, strict=True) for s in halving.steps) == 3


def test_the_border_of_a_pipeline_is_that_of_messages_at_once():
    board = board_of("all_reduce", "double_binary_tree", 8)
    said = "The ring wins above about 2 MiB: 275 µs, with 1.75 vectors."
    assert said in price_of(board).page.sentences
    recording, machine = (
        record("all_reduce", "double_binary_tree", ranks=8),
        topology("hgx-h100", 8),
    )
    own, ring = (find_row("all_reduce", name) for name in ("double-binary-tree", "ring"))
    for size, wins in ((1 << 20, True), (4 << 20, False)):
        trees, circle = at_size(recording, machine, [own, ring], size)
        assert (trees.seconds < circle.seconds) == wins


@pytest.mark.parametrize(
    ("collective", "algorithm", "ranks", "said"),
    [
        ("all_gather", "bruck", 7, "63 MiB on a switch tree: the ring wins, 0.857 vectors, not 2."),
        (
            "all_gather",
            "ring",
            5,
            "60 MiB on a switch tree: the ring beats Bruck, 0.8 vectors, not 1.2.",
        ),
    ],
)
def test_who_wins_on_a_switch_tree_does_so_for_what_links_carry(collective, algorithm, ranks, said):
    """What the busiest link of each step carries, one step after another."""
    assert price_of(board_of(collective, algorithm, ranks)).page.sentences[-1].endswith(said)


def test_both_kinds_of_links_work_at_once_only_where_that_is_why():
    """Of a rival that sends more between nodes, and does so in each of its steps."""
    for algorithm in ("leader", "tree", "trivance_latency", "recursive_doubling"):
        said = price_of(board_of("all_reduce", algorithm, 16)).page.sentences
        assert not any("both kinds" in text for text in said), algorithm
    exscan = price_of(board_of("exscan", "chain", 16)).page.sentences
    assert not any("both kinds" in text or "its bytes take 1.79" in text for text in exscan)


def test_a_rival_is_one_ring_not_two_and_of_several_the_shortest_names_one():
    """A ring in channels is no news beside one ring, which would be its obvious way."""
    recording = record("all_reduce", "rabenseifner", ranks=16)
    said = "The ring, 8 channels: 69.8 µs; starts decide: 60 µs, not 10 µs."
    for length, own in ((USUAL, [said]), (SHORTER, [said]), (SHORTEST, [])):
        page = price_of(usual_board(recording, sheet=FILM), length).page
        assert [text for text in page.sentences if text.startswith("The ring")] == own
        assert page.sentences[2].startswith("Recursive doubling: ")
        assert page.sentences[-1].endswith("above 28 MiB, the ring does.")
    row = find_row("all_reduce", "ring")
    (ring,) = at_size(recording, usual_machine(recording), [row], 2 << 20)
    assert f": {time_text(ring.seconds, 3)};" in said


@pytest.mark.parametrize(
    ("ranks", "end"), [(12, "; starts decide: 22 µs, not 6 µs."), (16, ", with 15 starts of 2 µs.")]
)
def test_starts_decide_alone_where_the_bytes_of_a_rival_take_less(ranks, end):
    """Of ranks in two nodes; where they take more, too, starts are counted only."""
    recording = record("broadcast", "tree", ranks=ranks)
    whole = resized(recording, 1 << 16, recording.dtype)
    page = price_of(usual_board(whole, sheet=FILM)).page
    (said,) = [text for text in page.sentences if text.startswith("The ring")]
    own, *others = page.picture.costs
    (ring,) = [cost for cost in others if cost.name.startswith("The ring")]
    assert said.endswith(end) and ("decide" in said) == (ring.moved < own.moved)


def test_what_starts_at_once_has_no_sentence_of_starts():
    ring = record("all_reduce", "ring", ranks=8)
    board = usual_board(ring, topology("crossbar", 8, latency=0), sheet=FILM)
    assert price_of(board, AT_LENGTH).page.sentences[0] == "1.75 vectors pass a port: 2.35 ms."


def test_a_border_of_a_thousand_kib_is_a_mib():
    said = price_of(board_of("all_to_all", "pairwise", 16)).page.sentences[-1]
    assert said == "Below 1 MiB, Bruck beats pairwise exchange: 4 starts, not 15."


def test_who_sends_most_is_a_port_where_ports_set_the_time():
    on_ring = usual_board(
        record("broadcast", "doubling_tree", ranks=8), topology("ring", 8), sheet=FILM
    )
    assert price_of(on_ring, SHORTER).page.sentences[0] == "7 hops and 7 vectors take 9.43 ms."


@pytest.mark.parametrize(
    ("collective", "algorithm", "options", "said"),
    [
        ("all_reduce", "nvls_tree", {"parameters": {"gpus": 4}}, "the ring beats NVLS-tree."),
        ("all_to_all", "tournament", {"count": 128}, "tournament is clearly faster."),
        ("reduce", "double_binary_tree", {}, "the ring beats the double binary tree."),
    ],
)
def test_a_verdict_has_no_reason_that_is_less_than_half_of_what_is_lost(
    collective, algorithm, options, said
):
    """Nor are there crossings on a line of links."""
    recording = record(collective, algorithm, ranks=16, **options)
    machine = usual_machine(recording) if "count" in options else None
    assert price_of(usual_board(recording, machine, sheet=FILM)).page.sentences[-1].endswith(said)


def test_a_film_names_the_sizes_between_which_it_beats_both_rivals():
    board = board_of("broadcast", "van_de_geijn", 8)
    assert price_of(board).page.sentences[-1] == (
        "Below 2.4 MiB, the tree beats it; above 13 MiB, the ring does."
    )


@pytest.mark.parametrize("size", [1 << 10, 64 << 20])
def test_who_is_faster_below_and_above_both_borders_is_executed_there(size):
    """From whichever side of them the film is asked."""
    recording = record("all_reduce", "rabenseifner", ranks=16)
    asked = resized(recording, size)
    last = price_of(usual_board(asked, sheet=SHEETS["film"])).page.sentences[-1]
    names = ("rabenseifner", "ring", "recursive-doubling")
    rows = [find_row("all_reduce", name) for name in names]
    small, large = (
        min(at_size(asked, usual_machine(asked), rows, bytes_), key=lambda run: run.seconds)
        for bytes_ in (1 << 10, 64 << 20)
    )
    assert (small.row, large.row) == (rows[2], rows[1])
    assert last == "Below 240 KiB, recursive doubling beats it; above 28 MiB, the ring does."


def test_what_cannot_be_told_apart_is_no_reason_and_one_wave_is_none():
    sentences = price_of(board_of("reduce", "double_binary_tree", 12)).page.sentences
    assert sentences[-1] == "At 64 MiB, the ring beats the double binary tree."
    sentences = price_of(board_of("all_reduce", "double_binary_tree", 12)).page.sentences
    assert not any("wave" in text for text in sentences)
    sentences = price_of(board_of("all_to_all", "flat", 5)).page.sentences
    assert sentences[0].startswith("At 1 MiB, 4 messages at once")


def test_a_shorter_price_leaves_out_what_the_film_said_and_then_a_reason():
    board = board_of("all_gather", "bruck", 8)
    usual, short, shortest = (
        price_of(board, length).page.sentences for length in (USUAL, SHORTER, SHORTEST)
    )
    assert usual[0] == short[0] == "At 256 KiB, 3 starts and 0.875 vectors take 3.51 µs."
    assert shortest[0] == "At 256 KiB, it takes 3.51 µs, with 3 starts."
    assert short[2] == usual[2] and shortest[2] == "The ring: 7.51 µs, with 7 starts."
    assert shortest[3] == usual[3], "the verdict is never left out"
    server = price_of(board_of("all_reduce", "parameter_server", 6), SHORTEST).page.sentences
    assert server[2] == "6 servers: 300 µs, as 2 vectors pass in turn."
    assert len(server) == 3, "no ring from nowhere beside the way out that was drawn"
    trees = price_of(board_of("all_reduce", "double_binary_tree", 8), SHORTER).page.sentences
    assert trees[1] == "18 waves of 2 chunks; links idle early and late: 364 µs."
    assert trees[2] == "One tree: 526 µs, as 3 vectors pass a port.", "why is never left out"


def test_channels_even_out_one_tree_too_and_its_waves_take_more_starts():
    board = board_of("all_reduce", "double_binary_tree", 16)
    page = price_of(board).page
    assert page.sentences[0] == "15 waves of 2 chunks: 8 steps first, then 14 more: 403 µs."
    assert "One tree: 429 µs, with 37 starts; 8 channels even out its ports." in page.sentences
    (way,), port = board.trade.obvious.value, 128 << 20
    assert way.bytes == pytest.approx(board.trade.best.bytes, rel=1e-6) == port
    beside = price_of(board_of("all_reduce", "double_binary_tree", 8)).page.sentences
    assert not any("channels even" in text for text in beside), "in a box its ports bind"
    more = price_of(board_of("all_reduce", "double_binary_tree", 32)).page.sentences
    assert "One tree: 786 µs, as its bytes take 700 µs." in more, "which passes more there"


def test_who_wins_beats_the_rival_that_was_named_last():
    said = price_of(board_of("all_reduce", "ring", 8)).page.sentences
    assert "beats the ring" in said[-1], "which is not the last that was named"


def test_one_vector_passes_and_several_pass():
    said = price_of(board_of("all_to_all", "pairwise", 4)).page.sentences
    assert "Bruck: 151 µs, as 1 vector passes a port, not 0.75." in said
    assert said[0] == "3 starts, and 0.75 vectors pass a port: 115 µs."


def test_what_takes_one_step_and_has_no_rival_has_no_price():
    assert price_of(board_of("send_recv", "halo_exchange", 6)) is None


def test_a_rival_that_cuts_the_vector_says_so_beside_a_whole_one():
    said = price_of(board_of("all_reduce", "recursive_doubling", 8)).page.sentences
    assert any(text.startswith("The ring, 8 chunks: 18.1 µs") for text in said)


def test_where_some_steps_pass_several_cables_hops_are_counted():
    """Swing goes 1, 1 and 3 ranks far, and back."""
    said = price_of(board_of("all_reduce", "swing", 8)).page.sentences
    assert said[0].startswith("It is for short vectors: at 1 MiB, 91.9 µs with 10 hops.")
    assert "The ring: 107 µs, as it takes 14 hops, not 10." in said


def test_one_is_no_factor():
    assert factor(1 + SAME / 2).strip() == "" and factor(1.75) == "1.75"


def test_no_port_explains_a_time_where_links_are_of_two_kinds():
    """Eight rings over two nodes wait for their cables, not for what passes a port."""
    page = price_of(board_of("all_reduce", "nvls_tree", 16)).page
    assert page.sentences[-1] == "The ring, 8 channels: 375 µs, as its bytes take 315 µs."


def test_messages_that_start_at_once_are_said_to_once():
    """Where it is not said of the starts, it is of the verdict."""
    usual, short = (
        price_of(board_of("all_reduce", "two_shot", 8), length).page.sentences
        for length in (USUAL, SHORTER)
    )
    first = "At 1 MiB, 7 messages at once: 2 starts, 6.08 µs."
    assert usual[0] == short[0] == first and "at once" not in usual[-1]
    more = price_of(board_of("all_reduce", "two_shot", 16)).page.sentences[0]
    assert "15 messages at once" in more, "those of a rank, over two ports"


@pytest.mark.parametrize(
    ("row", "ranks", "said"),
    [
        (("broadcast", "tree"), 8, "Only rank 0 holds the vector."),
        (("all_reduce", "recursive_doubling"), 8, "8 ranks each hold a vector."),
        (("broadcast", "van_de_geijn"), 8, "Only rank 0 holds the vector, in 8 chunks."),
        (("all_reduce", "ring"), 8, "8 ranks each hold a vector of 64 MiB, in 8 chunks."),
        (
            ("all_reduce", "hierarchical"),
            16,
            "16 ranks each hold a vector of 8 MiB, in 16 chunks.",
        ),
    ],
)
def test_a_size_is_named_first_where_its_bytes_are_counted_or_priced(row, ranks, said):
    """Not where the price begins at another one, as that of a tree does."""
    board = board_of(*row, ranks)
    assert problem(board) == said
    shown = {line.text for line in card_text(board, THEMES["dark"])}
    assert any(" MiB" in text for text in shown) == (" MiB" in said)


def test_a_film_that_is_priced_at_its_size_names_it():
    """Though another size would be first, where no obvious way stood beside it."""
    board = usual_board(resized(record("all_reduce", "ring", ranks=16), 1 << 10))
    assert board.trade.first.value and board.trade.begins is None
    assert problem(board) == "16 ranks each hold a vector of 1 KiB, in 16 chunks."


@pytest.mark.parametrize(
    ("algorithm", "ranks", "more"),
    [
        ("binary_tree", 16, 4),
        ("tree", 8, 3),
        ("tree", 16, 4),
        ("chains", 3, None),
        ("sharp", 2, None),
        ("nvls", 3, None),
    ],
)
def test_a_verdict_counts_vectors_that_pass(algorithm, ranks, more):
    """As they are counted in both recordings, idle links left out; as many are no reason."""
    collective = "all_reduce" if algorithm in ("sharp", "nvls") else "broadcast"
    board = board_of(collective, algorithm, ranks)
    last = price_of(board).page.sentences[-1]
    assert ("vector" in last) == (more is not None)
    if more:
        first = board.trade.begins
        there = (first and first.back) or board.trade.others[0].there
        counted = sorted(side.bytes / side.size for side in (there.own, there.rival))
        numbers = re.search(r"([\d.]+) vectors?, not ([\d.]+)\.$", last).groups()
        assert [*map(float, numbers)] == pytest.approx(counted, rel=5e-3) and counted[1] == more


@pytest.mark.parametrize(
    ("collective", "algorithm", "ranks", "said"),
    [
        ("all_gather", "tree", 8, "Above 150 KiB, the ring wins: only 0.875 vectors in turn."),
        ("all_gather", "nvls", 8, "Above 10 MiB, the ring wins: 0.875 vectors in turn, not 1.125."),
        ("all_reduce", "sharp", 2, "Above about 400 KiB, the ring beats SHARP."),
    ],
)
def test_what_no_port_passes_is_said_to_pass_in_turn(collective, algorithm, ranks, said):
    """And where as much passes a port, with idle links beside, there is no reason in vectors."""
    assert price_of(board_of(collective, algorithm, ranks)).page.sentences[-1] == said


def test_a_border_does_not_give_a_film_a_size():
    """Two-shot is priced at another one, and says which ranks hold a vector of any size."""
    for ranks in (3, 5, 8, 16):
        board = board_of("all_reduce", "two_shot", ranks)
        assert any(text.startswith("Below ") for why in board.whys for text in why.sentences)
        assert board.leaves_size_out and "MiB" not in problem(board)


@pytest.mark.parametrize("collective", ["scatter", "gather"])
@pytest.mark.parametrize("ranks", [4, 6, 8])
def test_one_port_sends_or_receives_one_message_after_another(collective, ranks):
    """Beside a tree: at a size at which starts decide, and at the usual one, where bytes do."""
    board = board_of(collective, "tree", ranks)
    asked, machine = board.counted.asked, board.counted.topology
    (row,) = board.trade.others
    first = board.trade.begins
    for size, rival, own in ((first.bars[1].size, *first.bars[1::-1]), (board.size, row, board)):
        (flat,) = at_size(asked, machine, [find_row(collective, "flat")], size)
        assert (rival.steps, rival.size) == (flat.turns.messages, size) == (ranks - 1, size)
        assert rival.seconds == pytest.approx(flat.turns.in_turn)
        assert own.steps < rival.steps
    said = price_of(board, SHORTEST).page.sentences
    assert "one by one" in said[-2] and said[-2].endswith(f"with {ranks - 1} starts.")
    assert said[-1].endswith("both take about as long: bytes outweigh starts.")


@pytest.mark.parametrize("ranks", [16, 32])
def test_messages_over_links_of_two_kinds_do_not_wait_for_each_other(ranks):
    assert "one by one" not in " ".join(price_of(board_of("scatter", "tree", ranks)).page.sentences)
