"""The story of an algorithm: short sentences, spoken in time, each of their numbers true."""

import re
from functools import cache
from itertools import groupby, pairwise
from math import ceil

import numpy as np
import pytest

pytest.importorskip("cairo")  # draws the words of captions

from each import each
from evaluated import evaluated, repetition, time_is
from samples import case_title, pairs, steps_of
from settings import SOME_ROWS, THOROUGH

from animations.drawing.sheet import FILM
from animations.score.pacing import spoken_seconds, words
from animations.score.price import price_of
from animations.score.repeats import runs
from animations.score.score import Play, TextCard
from animations.score.sentences import phase_end, phase_name
from animations.score.state_sentences import fitting
from animations.score.step_sentences import transfer
from animations.score.steps import score_of
from animations.score.story import LAPSE, QUICK, overlaps, story
from animations.story.compose import proved_storyboard
from animations.story.usual import usual_board
from animations.whys.why import Why
from collectives import record
from collectives.algorithms.ring import ring_all_gather, ring_reduce_scatter
from collectives.catalog import find_row
from collectives.cost.machines import topology_for
from collectives.schedule import within
from collectives.units import size_text

CASES = pairs((2, 3, 4, 8, 16, 64) if THOROUGH else (2, 3, 4, 8), most=6 if THOROUGH else 2)


@cache
def story_of(row, ranks):
    """A recording, its storyboard, and for each sentence what is shown with it."""
    recording = record(row.collective, row.algorithm, ranks=ranks)
    board = proved_storyboard(recording)
    score = [each for each in score_of(board) if not isinstance(each[0].shown, Why)]
    shots = [(isinstance(p.shown, TextCard), shot) for p, shot in score]
    groups = groupby(shots, lambda each: (each[0], each[1].said))
    return recording, board, [(said, [s for _, s in of], card) for (card, said), of in groups]


@each(("row", "ranks"), CASES, case_title, few=10)
def test_every_sentence_is_short_and_has_the_time_it_takes(row, ranks):
    for said, shots, _ in story_of(row, ranks)[2]:
        assert 0 < words(said) <= 14, said
        assert sum(shot.seconds for shot in shots) >= spoken_seconds(said) - 1e-9, said
        assert said[0].isupper() or said[0].isdigit() or "-" in said.split()[0]
        assert said.endswith(".") and not re.search(r"[`_]|\.\.|  ", said), said


@each(("row", "ranks"), CASES, case_title, few=10)
def test_every_number_is_that_of_the_executed_state(row, ranks):
    recording, board, told = story_of(row, ranks)
    named = f"{board.title}: {board.promise}"
    spoken = " ".join(
        [named, board.textbook.idea, *(frame.comment for frame in board.frames)]
    ).lower()
    for said, shots, card in told:
        step = None if card else shots[-1].moment.step
        if re.match(r"\S+ more (times|steps)", said):
            assert repetition(recording, [s.moment.step for s in shots], said), said
            continue
        if added := re.fullmatch(r"One step added .* (\d+); in a ring, .* (\d+) hops\.", said):
            assert added_at_once(recording, step) == {int(added[1])} == {int(added[2]) + 1}, said
            continue
        if counted := re.fullmatch(r"(\d+) messages travel at once\.", said):
            pairs = {(m.src, m.dst) for m in board.frames[step - 1].transfers}
            assert sum(src != dst for src, dst in pairs) == int(counted[1]), said
            continue
        if prices := re.fullmatch(r"(.+), (.+) through the busiest port: (.+)\.", said):
            taken, size, time = prices.groups()
            assert evaluated(recording, None, f"It takes {taken}."), said
            assert evaluated(recording, None, f"The busiest port carries {size}."), said
            said = f"On a crossbar it takes {time}."
        found = evaluated(recording, step, said)
        if re.fullmatch(r"\d+ ranks each hold a vector(, in \d+ chunks)?\.", said):
            page = price_of(board).page  # a size that is not said is another one where it ends
            own = page.aside.rpartition(" with ")[2]
            assert own != size_text(board.size) and own in page.sentences[0], said
        if found is None and re.search(r"[Ii]t takes", said):
            found = time_is(recording, topology_for(recording, "crossbar"), said)
        known = said.rstrip(".").lower() in spoken
        assert found or (found is None and (known or is_named(board, said))), said


@pytest.mark.parametrize(
    ("collective", "algorithm", "ranks"),
    [("all_reduce", "bcube", 16), ("all_gather", "bruck", 8), ("all_gather", "pat", 16)],
)
def test_of_a_chunk_that_is_copied_on_it_is_counted_until_all_have_it(collective, algorithm, ranks):
    recording, told = record(collective, algorithm, ranks=ranks), {}
    for _, shot in score_of(usual_board(recording)):
        told.setdefault(shot.said, getattr(shot.moment, "step", None))
    counted = {said: re.search(r"(\d+)(?: of \d+)? ranks have it", said) for said in told}
    have = [int(found[1]) for found in counted.values() if found]
    assert have == [1 << power for power in range(1, ranks.bit_length())]
    assert all(evaluated(recording, told[said], said) for said in counted if counted[said])


@pytest.mark.parametrize(
    ("algorithm", "ranks"), [("bcube", 16), ("rabenseifner", 16), ("rabenseifner", 32)]
)
def test_near_first_is_said_to_keep_large_parts_inside_nodes(algorithm, ranks):
    """And once, of the first step that goes between nodes; not where there is one node."""
    recording = record("all_reduce", algorithm, ranks=ranks)
    told = {}
    for _, shot in score_of(usual_board(recording)):
        told.setdefault(shot.said, getattr(shot.moment, "step", None))
    near, far = (
        [said for said in told if re.search(text, said)] for text in ("inside nodes", "Now between")
    )
    assert len(far) == 1 and far[0] == "Now between nodes, with only 1/16 of the vector."
    assert near[0].startswith("Distance 1 first")
    assert all(evaluated(recording, told[said], said) for said in (near[0], *far))
    alone = " ".join(
        s.said for _, s in score_of(usual_board(record("all_reduce", algorithm, ranks=8)))
    )
    assert "inside nodes" not in alone and "Now between" not in alone


def added_at_once(recording, step):
    """How many ranks' own data each switch adds up in a step."""
    rows = recording.steps[step - 1].unrolled()
    adds = rows.reduces & (rows.src < recording.ranks) & (rows.dst >= recording.ranks)
    switches = {*rows.dst[adds].tolist()}
    return {len({*rows.src[adds & (rows.dst == switch)].tolist()}) for switch in switches}


def is_named(board, said):
    """Whether a sentence only names nodes, chunks and phases, as captions do."""
    acts = r".*(adds?|sends|tells|keeps|copies) "
    names = rf"{acts}|.* arrive; each|.* each have "
    return not re.search(r"\d", said) or re.match(names, said)


TWO_CAPTIONS = [(find_row("all_reduce", name), 4) for name in ("nvls", "bidirectional-ring")]


@each(("row", "ranks"), [*CASES, *TWO_CAPTIONS], case_title, few=10)
def test_an_example_follows_the_caption_that_it_is_an_example_of(row, ranks):
    _, board, told = story_of(row, ranks)
    said = [(text, shots[0].moment) for text, shots, card in told if not card]
    for before, (text, moment) in pairwise(said):
        if before[1].step != moment.step or not moment.step or moment.landed:
            continue  # not two sentences of one step that is under way
        frame = board.frames[moment.step - 1]
        example = frame.parcels[frame.hero].remark.text
        parts = [part.rstrip(".").lower() for part in fitting(board, example)]
        if text in (transfer(board, frame), transfer(board, frame, "then")):
            named = before[0].rstrip(".").lower()
            others = {each.remark.text.lower() for each in frame.parcels} - {example.lower()}
            assert named in parts or named not in others, (before[0], text)


def test_what_a_switch_does_to_every_rank_is_said_of_every_rank():
    board = of("all_reduce", "multicast", 8)
    assert "switch sends every rank what the others sent" in board.frames[1].comment


def test_vectors_queue_at_a_server_and_no_switch_adds_them():
    said = " ".join(shot.said for _, shot in score_of(of("all_reduce", "parameter_server", 6)))
    assert "All 6 send to one port: the server takes one after another." in said
    assert "One port again: 6 copies leave it, one after another." in said
    assert "switch" not in said


@pytest.mark.parametrize("ranks", [4, 8, 16])
def test_films_of_nvls_say_once_what_the_switch_adds(ranks):
    score = score_of(of("all_reduce", "nvls", ranks))
    said = [*dict.fromkeys(shot.said for _, shot in score)]
    adds = [text for text in said if re.search("switch adds", text)]
    assert adds == [f"All {ranks} send at once, and the switch adds what meets there."]


def test_a_phase_of_nodes_says_so_and_its_steps_say_no_more_than_they_must():
    nodes = record("all_reduce", "nvls_tree", ranks=16, parameters={"gpus": 8}, chunks=1)
    said = [*dict.fromkeys(shot.said for _, shot in score_of(proved_storyboard(nodes)))]
    assert [text for text in said if text.startswith(("Within nodes", "Between nodes"))] == [
        "Within nodes, the switch sends the chunks it got to all ranks."
    ]
    assert "One of each pair sends its sum, and the other adds it." in said
    assert "Each rank now has 1/8 of the vector, summed over its node." in said


def test_a_switch_that_sends_some_of_the_chunks_is_not_said_to_send_all():
    said = [shot.said for _, shot in score_of(of("all_reduce", "nvls", 8))]
    assert "The switch sends the chunks it got to all ranks." in said
    assert "All 8 send at once, and the switch adds what meets there." in said


@pytest.mark.parametrize("row", SOME_ROWS, ids=lambda row: row.title)
def test_ranks_and_chunks_are_named_twice_at_most(row):
    ranks = next(number for number in (8, 4, 3) if row.accepts(number))
    board = of(row.collective, row.algorithm, ranks)
    named = {transfer(board, frame) for frame in board.frames if frame.transfers}
    beats = [beat for beat in story(board) if beat.spoken]
    most = 2 if board.labels.moves_data else 3  # of news, the last message too
    assert sum(beat.said in named for beat in beats) <= most


@pytest.mark.parametrize(
    ("language", "named"), [("en", "On an HGX box"), ("es", "En una caja HGX")]
)
def test_a_short_film_has_a_short_card_and_names_its_machine(language, named):
    """Commas stand for points in Spanish."""
    score = score_of(usual_board(record("all_gather", "bruck", ranks=7), language=language))
    cards = [shot for passage, shot in score if isinstance(passage.shown, TextCard)]
    assert sum(shot.seconds for shot in cards) <= 0.25 * score.seconds
    said = [shot.said for shot in score.passages[-1].shots]
    assert score.passages[-1].shown.aside.startswith(named)
    assert not any(re.search(r"\d\.\d", text) for text in said if language == "es")


@each(("row", "ranks"), CASES, case_title, few=10)
def test_a_phase_ends_at_rest_and_every_step_is_seen(row, ranks):
    _, board, told = story_of(row, ranks)
    shots = [shot for _, shots, card in told if not card for shot in shots]
    for number, phase in enumerate(board.phases):
        if overlaps(board) and phase.end < len(board.frames):
            continue  # a part begins or ends there while others go on
        last = [s for s in shots if s.moment.step == phase.end and s.moment.landed]
        assert sum(shot.seconds for shot in last) >= 1, phase.name
        holds = phase_end(board, number)
        assert phase.end == len(board.frames) or not holds or holds in {s.said for s in last}
    steps = [shot.moment.step for shot in shots]
    most = ceil(len(board.frames) * QUICK / LAPSE)  # steps for each that a time-lapse draws
    assert all(0 <= after - before <= max(1, most) for before, after in pairwise(steps))
    assert (steps[0], steps[-1]) == (0, len(board.frames))
    for number in sorted({*steps} - {0}):
        of_step = [s for s in shots if s.moment.step == number]
        parts = [s.moment.part for s in of_step if s.travels and not s.moment.landed]
        assert [*dict.fromkeys(sum(parts, ()))] == sorted({*sum(parts, ())}), "one way, once"
        assert (parts[0][0], parts[-1][1]) == (0, 1)
        assert of_step[-1].moment.landed


def of(collective, algorithm, ranks):
    return proved_storyboard(record(collective, algorithm, ranks=ranks))


@pytest.mark.parametrize(
    ("collective", "algorithm", "ranks", "lapses", "scales"),
    [
        ("all_reduce", "ring", 8, [6, 6], ["", ""]),
        ("all_reduce", "ring", 5, [3, 3], ["", ""]),
        ("all_reduce", "recursive_doubling", 16, [0], ["twice"]),
        ("broadcast", "binomial", 16, [0], ["half"]),
        ("all_to_all", "pairwise", 8, [5, 0], ["further", ""]),
        ("broadcast", "ring", 8, [9], [""]),
        ("all_reduce", "recursive_doubling", 6, [0, 0, 0], ["", "", ""]),
        ("gather", "tree", 3, [0], ["twice"]),
        ("scatter", "tree", 3, [0], ["half"]),
        ("all_gather", "bruck", 3, [0], [""]),  # 1 and 2 to the left are 2 and 1 to the right
    ],
)
def test_repetitions_are_found_from_the_steps(collective, algorithm, ranks, lapses, scales):
    board = of(collective, algorithm, ranks)
    found = list(runs(board, 0, len(board.frames)))
    assert [run.end - run.lapse for run in found] == lapses
    assert [run.scale for run in found] == scales


def test_a_phase_names_its_steps_in_place():
    said = [shot.said for _, shot in score_of(of("all_reduce", "linear", 4))]
    assert "In 1 step and 1 in place, reduce brings the sum to one rank." in said


@pytest.mark.parametrize(
    ("collective", "algorithm", "said"),
    [
        ("reduce_scatter", "tree", "Only one rank has its result so far."),
        ("scan", "doubling", "Now 2 of 5 ranks have their result."),
        ("scan", "doubling", "Now 4 of 5 ranks have their result."),
    ],
)
def test_ranks_are_done_with_their_own_part_of_a_result(collective, algorithm, said):
    assert said in [shot.said for _, shot in score_of(of(collective, algorithm, 5))]


def test_steps_of_a_tree_are_levels_with_idle_ranks():
    said = [shot.said for _, shot in score_of(of("all_reduce", "tree", 8))]
    assert "Now level 1 sends, while 6 ranks wait." in said
    assert "Where it lands, the sum is finished: all 8 ranks are in it." in said


@pytest.mark.parametrize(
    ("algorithm", "ranks", "sentences"),
    [
        (
            "torus-2d",
            16,
            [
                "Two more steps carry them round their row: now the sum of 4 ranks.",
                "Each rank now has 1/4 of the vector, summed over its row.",
                "Two more steps carry it round its column: the sum of all 16.",
                "Two more steps carry it round its column: 4 of 16 ranks have it.",
            ],
        ),
        (
            "hierarchical",
            16,
            [
                "Six more steps carry them round their node: now the sum of 8 ranks.",
                "Each rank now has 1/8 of the vector, summed over its node.",
                "Now between nodes: all-reduce in each rail, the same GPU of all nodes.",
            ],
        ),
        (
            "double-binary-tree",
            8,
            [
                "Rank 4 adds what arrives to its own: 3 + 3 + 1 = 7 ranks.",
                "Chunk 0 goes down to rank 4, while chunk 1 still comes up.",
                "This chunk goes on to rank 2: 4 of 8 ranks have it.",
                "It goes on to rank 1: now all 8 ranks have it.",
                "Chunk 1 follows, 1 step behind: now all 8 ranks have it.",
            ],
        ),
        (
            "double-binary-tree",
            16,
            [
                "Rank 4 adds what arrives to its own: 3 + 3 + 1 = 7 ranks.",
                "Chunk 0 goes down to rank 8, while chunk 1 still comes up.",
                "This chunk goes on to rank 4: 4 of 16 ranks have it.",
                "Two more steps work alike: now all 16 ranks have it.",
                "Chunk 1 follows, 1 step behind: now all 16 ranks have it.",
            ],
        ),
        ("tree", 8, []),
        (
            "two-shot",
            8,
            [
                "Rank 1 adds chunk 1 from all 7 others: the sum of all 8.",
                "This chunk goes on to all 7 others: now all 8 ranks have it.",
            ],
        ),
        ("torus-3d", 8, ["Each rank now has 1/2 of the vector, summed over its row."]),
        ("ring", 4, []),
    ],
)
def test_what_groups_or_two_trees_do_at_once_is_followed_in_few_sentences(
    algorithm, ranks, sentences
):
    board = usual_board(record("all_reduce", algorithm, ranks=ranks))
    shots = [(shot.said, shot.moment) for _, shot in score_of(board)]
    new = [
        text
        for text, _ in shots
        if re.search(
            "carry (it|them)|summed over|between nodes|= 7 ranks|still comes|all 7 others"
            "|goes on to rank [12]: .* 8 |rank 4: 4 of 16|more steps work alike|step behind",
            text,
        )
    ]
    assert [*dict.fromkeys(new)] == sentences
    flights = [
        moment for text, moment in shots if re.search("carry (it|them)", text) and not moment.landed
    ]
    assert all(moment.named for moment in flights)


def test_what_is_carried_round_a_row_goes_round_no_column():
    recording = record("all_reduce", "torus-2d", ranks=16)
    said = "Two more steps carry it round its row: now the sum of 4 ranks."
    assert repetition(recording, [2, 3], said)
    assert not repetition(recording, [2, 3], said.replace("row", "column"))


def cube_all_reduce(n):
    """Of 2 × 2 × 2 ranks one dimension adds up after the other."""
    rank = np.arange(n).reshape(2, 2, 2)
    rows, columns, stacks = (np.moveaxis(rank, axis, 2).reshape(4, 2) for axis in (2, 1, 0))
    half = n // 2 * (columns[:, 0] % 2)
    quarter = n // 2 * (stacks[:, 0] % 2) + n // 4 * (stacks[:, 0] // 2 % 2)
    yield from within(rows, ring_reduce_scatter(2), width=n // 2)
    yield from within(columns, ring_reduce_scatter(2), half, width=n // 4)
    yield from within(stacks, ring_reduce_scatter(2), quarter)
    yield from within(stacks, ring_all_gather(2), quarter)
    yield from within(columns, ring_all_gather(2), half, width=n // 4)
    yield from within(rows, ring_all_gather(2), width=n // 2)


def test_a_sum_over_nodes_and_rails_is_not_said_to_be_one_over_a_rail():
    recording = record(cube_all_reduce, ranks=8)
    said = {shot.said for _, shot in score_of(proved_storyboard(recording))}
    of_node = "Each rank now has 1/2 of the vector, summed over its node."
    assert [text for text in said if "summed over" in text] == [of_node]
    assert evaluated(recording, 1, of_node)
    assert not evaluated(recording, 1, of_node.replace("node", "rail"))
    assert not evaluated(recording, 2, of_node.replace("node", "rail").replace("2", "4"))


def test_a_ring_of_64_is_told_in_half_a_minute_of_repetition():
    board = of("all_reduce", "ring", 64)
    shots = list(steps_of(board).shots)
    lapse = [shot.seconds for shot in shots if re.search("more steps(?: do|:)", shot.said)]
    assert len(lapse) > 200
    assert sum(lapse) <= 30
    assert sum(shot.seconds for shot in shots) <= 80


@pytest.mark.parametrize("ranks", [160, 161] if THOROUGH else [111])
def test_of_very_many_steps_some_are_left_out(ranks):
    board = of("all_reduce", "ring", ranks)
    shots = [s for s in steps_of(board).shots if re.search("more steps(?: do|:)", s.said)]
    assert sum(shot.seconds for shot in shots) < 30
    steps = [shot.moment.step for shot in shots]
    assert 60 < len({*steps}) < 200
    assert all(shot.seconds > 0.01 for shot in shots)
    assert {ranks - 2, 2 * ranks - 3} <= {*steps}, "the last of each time-lapse is shown"


def test_the_obvious_way_fails_before_the_steps_and_the_answer_follows_them():
    why, *_ = (board := usual_board(record("all_reduce", "nvls", ranks=8))).whys
    kinds = [
        (passage.shown.heading, [*dict.fromkeys(shot.said for shot in passage.shots)])
        if isinstance(passage.shown, Why)
        else isinstance(passage.shown, TextCard)
        for passage in score_of(board).passages
    ]
    asked, told = why.sentences[: why.need], why.sentences[why.need :]
    assert asked and told and why.asks != why.heading
    title, problem, need, steps, answer, *_ = kinds
    assert (title, problem, steps) == (True, False, False)
    assert need == (why.asks, [*asked]) and answer == (why.heading, [*told])


def test_where_switches_send_copies_it_is_said_which():
    said = [beat.said for beat in story(usual_board(record("all_reduce", "sharp", ranks=8)))]
    assert not any("children" in text for text in said)
    down = "Chunk 0 goes down to switches 0, 1, while chunk 1 still comes up."
    assert said.count(down) == 1
    assert "Switch 0 sends chunk 0 to ranks 0–3." in said


def test_levels_are_named_on_the_way_there_only():
    """On the way back the same levels are used, and its data is followed."""
    there, both = (
        [beat.said for beat in story(of(name, "tree", 8))] for name in ("broadcast", "all_reduce")
    )
    assert "Now level 3 receives, and no rank waits." in there
    assert not any("receives" in said for said in both)


@pytest.mark.parametrize("algorithm", ["rabenseifner", "swing"])
def test_the_step_that_completes_a_sum_says_whose(algorithm):
    board = proved_storyboard(record("all_reduce", algorithm, ranks=8))
    assert any(beat.said.endswith("the sum of all 8.") for beat in story(board))


@pytest.mark.parametrize("ranks", [4, 8])
def test_the_way_back_of_a_swing_counts_what_is_sent(ranks):
    recording = record("all_reduce", "swing", ranks=ranks)
    board, half = proved_storyboard(recording), len(recording.steps) // 2
    back = [
        (beat.said, look.moment.step)
        for beat in story(board)
        for look in beat.looks
        if look.moment.step > half and look.travels and look.moment.play is not Play.WAVE
    ]
    assert {step for _, step in back} == {*range(half + 1, 2 * half + 1)}
    told = [(said, step) for said, step in back if "distance" in said]
    assert len({said for said, _ in told}) == (half if ranks <= 8 else 1)
    assert all(evaluated(recording, step, said) for said, step in told)


@pytest.mark.parametrize(
    ("collective", "algorithm", "scattered"),
    [
        ("all_reduce", "swing", True),
        ("reduce_scatter", "pat", True),
        ("all_reduce", "rabenseifner", False),
        ("all_reduce", "ring", False),
    ],
)
def test_chunks_that_are_no_neighbors_are_said_to_end_where_they_are_added(
    collective, algorithm, scattered
):
    recording = record(collective, algorithm, ranks=8)
    said = [beat.said for beat in story(proved_storyboard(recording))]
    reasons = [text for text in said if "the others go on to" in text]
    assert len(reasons) == scattered
    assert all(evaluated(recording, 1, text) for text in reasons)


def test_the_last_step_of_few_brings_what_is_still_missing_or_has_this_hop_to_go():
    gathers = [(3, ""), (6, "1/3"), (7, "3/7"), (8, ""), (11, "3/11"), (12, "1/3")]
    cases = [("all_gather", *case, "{} of the vector is still missing.") for case in gathers]
    hop = "{} of the vector still needs this hop."
    for collective, ranks, part, ends in (
        *cases,
        ("all_to_all", 8, "1/2", hop),
        ("all_to_all", 7, "3/7", hop),
    ):
        recording = record(collective, "bruck", ranks=ranks)
        told = [(b.said, b.looks) for b in story(usual_board(recording))]
        told = [(said, looks) for said, looks in told if said.endswith(ends[3:])]
        assert [said.endswith(ends.format(part)) for said, _ in told] == [True] * bool(part), ranks
        assert all(evaluated(recording, looks[0].moment.step, said) for said, looks in told)


@pytest.mark.parametrize(
    ("collective", "algorithm", "said", "inside"),
    [
        ("all_reduce", "swing", "Rank 1 keeps chunk 1; the others go on to ranks 2, 5, 6.", (1, 3)),
        ("all_reduce", "swing", "The finished sums go back the same way.", (3, 6)),
    ],
)
def test_the_way_of_what_goes_on_later_is_drawn_when_it_is_spoken_of(
    collective, algorithm, said, inside
):
    beats = story(usual_board(record(collective, algorithm, ranks=8)))
    (beat,) = (beat for beat in beats if beat.said == said)
    (moment,) = (look.moment for look in beat.looks)
    assert (moment.play, moment.ahead) == (Play.AHEAD, inside)
    assert moment.named == (moment.step > 0), "once steps run only what is followed"


def test_a_block_of_which_it_is_said_that_it_stays_does_not_run_ahead():
    beats = story(usual_board(record("all_to_all", "bruck", ranks=8)))
    (beat,) = (beat for beat in beats if beat.said == "Block 0→5 stays on rank 1, as 5 = 1 + 4.")
    assert [(look.moment.play, look.moment.named) for look in beat.looks] == [(Play.WAVE, True)]


def test_a_block_that_a_rank_keeps_is_of_no_account_in_a_film():
    pairwise, bruck = (
        usual_board(record("all_to_all", way, ranks=6), sheet=FILM) for way in ("pairwise", "bruck")
    )
    assert pairwise.quiet == {5} and bruck.quiet == {0}
    assert not usual_board(record("all_gather", "bruck", ranks=7), sheet=FILM).quiet
    for board in (pairwise, bruck):
        flying = {
            look.moment.step - 1
            for beat in story(board)
            for look in beat.looks
            if not look.moment.landed
        }
        assert flying == {*range(len(board.frames))} - board.quiet
        assert "Every rank keeps its own block." not in {beat.said for beat in story(board)}


@pytest.mark.parametrize("ranks", [4, 6, 8, 12])
def test_chunks_that_come_again_round_a_ring_are_counted(ranks):
    """Those of scatter that the ring brings once more; in a plain all-gather there are none."""
    recording = record("broadcast", "van_de_geijn", ranks=ranks)
    board, again, total = proved_storyboard(recording), 0, 0
    for number in range(board.phases[1].first, board.phases[1].end):
        rows = recording.steps[number].unrolled()
        held = recording.contributors(number)[rows.dst, rows.into].any(axis=1)
        again, total = again + int(held.sum()), total + len(held)
    assert total == ranks * (ranks - 1)
    assert phase_end(board, 1).startswith(f"{again} of {total} chunks were there already")
    assert phase_end(board, 1) in [beat.said for beat in story(board)]
    for name in (("all_gather", "ring"), ("broadcast", "binomial"), ("all_reduce", "ring")):
        for many in (ranks, ranks + 16):  # of more than 16 ranks cells share bars
            plain = proved_storyboard(record(*name, ranks=many))
            assert not phase_end(plain, len(plain.phases) - 1)


@pytest.mark.parametrize("ranks", [4, 8, 16])
def test_one_copy_in_a_tree_is_said_once_and_a_later_phase_begins_without_its_distance(ranks):
    first, second = (
        [beat.said for beat in story(proved_storyboard(record(*name, ranks=ranks)))]
        for name in (("broadcast", "binomial"), ("all_reduce", "rabenseifner"))
    )
    assert "Ranks with the data send it on." not in first
    assert any(said.startswith(f"Rank 0 sends the vector to rank {ranks // 2}") for said in first)
    assert sum(said.startswith("Distance 1 first, then twice as far") for said in second) == 1


@pytest.mark.parametrize("algorithm", ["hierarchical", "torus_2d", "nvls_tree"])
@pytest.mark.parametrize(("ranks", "several"), [(7, False), (8, True)])
def test_one_node_or_row_is_not_said_to_be_one_of_several(algorithm, ranks, several):
    """Seven ranks are all in one, beside which there is nothing to cross to."""
    board = usual_board(record("all_reduce", algorithm, ranks=ranks))
    said = [phase_name(board, number) for number in range(len(board.phases))]
    assert bool(board.textbook.idea) == any(" in each " in text for text in said) == several


@pytest.mark.parametrize(
    ("algorithm", "ranks", "part"),
    [
        ("split_binary", 3, "1/2"),
        ("split_binary", 8, "1/2"),
        ("van_de_geijn", 8, ""),
        ("van_de_geijn", 2, ""),
    ],
)
def test_what_all_ranks_but_the_root_have_after_a_phase_is_said_if_it_is_alike(
    algorithm, ranks, part
):
    """Ranks that pass on what others get have more of a scattered vector."""
    board = proved_storyboard(record("broadcast", algorithm, ranks=ranks))
    said = [shot.said for _, shot in score_of(board) if "Every other rank" in shot.said]
    assert {*said} == ({f"Every other rank now has {part} of the vector."} if part else set())


def test_steps_of_a_swing_back_that_are_alike_are_counted():
    _, _, told = story_of(find_row("all_reduce", "swing"), 16)
    ((shots, _),) = [(shots, card) for said, shots, card in told if said[:5] == "Two m"]
    assert {shot.moment.step for shot in shots} == {6, 7}
