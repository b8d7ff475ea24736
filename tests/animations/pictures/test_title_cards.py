"""Title cards show the start and the end of what follows, as the stage does."""

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

pytest.importorskip("manim")

from each import each
from samples import rows_on

from animations.drawing.render.outlines import look
from animations.drawing.sheet import SHEETS
from animations.drawing.theme import DARK
from animations.pictures.card_rooms import card_page, stage_rooms
from animations.pictures.end_card import bar_rows, end_boxes, formulas, groups, terms, typst
from animations.pictures.stage import Stage
from animations.pictures.title_cards import SmallStage, TitleCard, card_text
from animations.score.score import VERDICT, Keyframe, TextCard
from animations.score.steps import score_of
from animations.story.compose import proved_storyboard
from animations.story.usual import usual_board
from collectives import record, send
from collectives.collective import CUSTOM


def extent(outlines):
    """Left, top, right, bottom of some outlines, in pixels of the page."""
    points = np.concatenate([each.points for each in outlines if len(each.points)])
    x, y = points.T
    return x.min(), y.min(), x.max(), y.max()


@each("row", rows_on(8))
def test_small_stages_show_the_first_and_the_last_state_in_their_rooms(row):
    board = proved_storyboard(record(row.collective, row.algorithm, ranks=8))
    small, stage = SmallStage(board, DARK), Stage(board, DARK)
    for done, room in zip((0, len(board.frames)), stage_rooms(board.sheet), strict=True):
        found = small.outlines(Keyframe(done), room)
        left, top, right, bottom = extent(found)
        assert room.left - 12 <= left < right <= room.right + 12
        assert room.top - 12 <= top < bottom <= room.bottom + 12
        stage.show(Keyframe(done))
        for ink in stage.stripes:
            same = [each for each in found if each.look == ink.look]
            counts = {len(each.points) for each in same}
            assert not len(ink.points) or len(ink.points) in counts


@pytest.mark.parametrize("name", [name for name in SHEETS if len(SHEETS[name].stages) == 1])
def test_stages_of_a_title_card_stay_on_the_page_and_below_its_text(name):
    board = proved_storyboard(record("all_reduce", "ring", ranks=4), sheet=SHEETS[name])
    first, second = stage_rooms(board.sheet)
    assert not first.overlaps(second)
    left, top, right, bottom = extent(TitleCard(TextCard(board, "title"), DARK).still)
    assert left >= 30 and top >= 20
    assert right <= board.sheet.width - 30 and bottom <= board.sheet.height - 30


def test_a_title_card_shows_the_end_beside_the_start():
    board = proved_storyboard(record("all_reduce", "ring", ranks=4))
    assert board.scenery.lens  # for the chunk that is followed; of a title card none is
    bare = replace(board, scenery=replace(board.scenery, lens=None))
    card, small = TitleCard(TextCard(board, "title"), DARK), SmallStage(bare, DARK)
    card.show(None)
    shown = {each.points.tobytes() for each in (*card.still, *card.settled)}
    for done, room in zip((0, len(board.frames)), stage_rooms(board.sheet), strict=True):
        wanted = {each.points.tobytes() for each in small.outlines(Keyframe(done), room)}
        assert wanted <= shown


def test_an_end_card_compares_executed_counts_and_lights_what_is_spoken_of():
    recording = record("all_reduce", "ring", ranks=8)
    board = usual_board(recording)
    other = usual_board(record("all_reduce", "recursive_doubling", ranks=8))
    (_, steps), (_, sent), (_, times) = groups(board)
    assert [bar.value for bar in steps] == [14, 3, 3]
    assert [bar.value for bar in sent] == [112 << 20, 112 << 20, 192 << 20]
    assert times[2].value == pytest.approx(other.counters[2].values[-1])
    assert [bar.text for bar in times[:2]] == [board.counters[2].texts[-1], "264 µs"]
    card = TextCard(board, "end")
    scene = TitleCard(card, DARK)
    for shot in score_of(board).passages[-1].shots:
        scene.show(shot.moment)
        lit = [
            line.text
            for line in card_text(board, "end", DARK, shot.moment)
            if line.color == DARK.now
        ]
        if shot.moment == VERDICT:
            assert lit == [
                (
                    "It beats recursive-doubling, which takes 450 µs. "
                    "But below 3.8 MiB, recursive-doubling is faster."
                )
            ]
            assert shot.said in lit[0]
        else:
            assert lit == [groups(board)[shot.moment][0], groups(board)[shot.moment][1][0].text]
        there = [group for group in scene._formulas if group <= shot.moment]
        lit = [set(lit_glyphs(scene, group, there)) for group in there]
        assert lit == [{shot.moment == 0}, {shot.moment == 1}][: len(there)]
    said = [shot.said for shot in score_of(board).passages[-1].shots]
    assert [shot.moment for shot in score_of(board).passages[-1].shots] == [
        0,
        1,
        2,
        VERDICT,
        VERDICT,
    ], said


def lit_glyphs(scene, group, there):
    """Whether each glyph of a group's formula is lit, among those of groups that are there."""
    glyphs = [len(scene._formulas[each].formula.parts) for each in there]
    shown = scene.settled[len(scene.settled) - sum(glyphs[group:]) :][: glyphs[group]]
    return [each.look[:3] == look(DARK.now)[:3] for each in shown]


def test_a_formula_is_drawn_alike_every_time():
    pair = formulas(["(N-1)/N*S"] * 2, bar_rows(SHEETS["lecture"], 300.0)).values()
    looks = [[glyph.look for glyph in placed.lit(DARK, 1)] for placed in pair]
    assert len(looks) == 2 and looks[0] == looks[1]


def test_terms_of_a_formula_light_one_after_another():
    board = usual_board(record("all_reduce", "ring", ranks=8))
    scene = TitleCard(TextCard(board, "end"), DARK)
    for group, parts in enumerate((["= 2", "(N - 1)"], ["= frac", "S"])):
        scene.show(group)
        assert scene.travels(group) and scene._formulas[group].terms == len(parts)
        seen = []
        for frame in range(10):
            scene.travel(frame / 10)
            lit = lit_glyphs(scene, group, range(group + 1))
            assert lit == sorted(lit, reverse=True), "the first terms"
            seen.append(sum(lit))
        assert seen == sorted(seen) and len(set(seen)) == len(parts) and seen[-1] == len(lit)
    assert scene.travels(2) and not scene.travels(VERDICT)
    for formula in filter(None, board.textbook.formulas):
        assert " ".join(terms(formula)) == typst(formula)


@pytest.mark.parametrize(
    "formula", ["2*(N-1)/N*S", "2*C+h-1", "C*S+(N-1)*(N//2)", "N-2+q", "2*(h-1)"]
)
def test_terms_are_the_whole_formula(formula):
    assert " ".join(terms(formula)) == typst(formula)
    assert len(terms(formula)) > 1


@pytest.mark.parametrize("name", [name for name in SHEETS if len(SHEETS[name].stages) == 1])
def test_bars_are_as_long_as_their_numbers_and_do_not_touch(name):
    page = card_page(SHEETS[name])
    board = usual_board(record("all_reduce", "ring", ranks=8), sheet=page)
    boxes = [each.box for each in end_boxes(board, bar_rows(board.sheet, 340.0), DARK)]
    for group, (_, bars) in enumerate(groups(board)):
        found = boxes[3 * group : 3 * group + 3]
        longest = max(bars, key=lambda bar: bar.value)
        for bar, box in zip(bars, found, strict=True):
            length = box.width / found[bars.index(longest)].width
            assert length == pytest.approx(bar.value / longest.value, abs=0.01)
    assert not any(one.overlaps(two, 4) for one, two in combinations(boxes, 2))


def test_nothing_is_claimed_where_nothing_is_promised():
    """No proof, no bound, and no cell counts as useless."""
    steps = [send([0, 1, 2], [1, 2, 0], 0, 1)] * 2
    board = proved_storyboard(record(steps, collective=CUSTOM, ranks=3, slots=1, scratch=1))
    said = " ".join(line.text for line in card_text(board, "end", DARK, VERDICT))
    assert "Nothing is promised" in said and "exactly once" not in said
    assert board.heading == "now / this algorithm"
    assert not any(board.stale(step) for step in range(3))
