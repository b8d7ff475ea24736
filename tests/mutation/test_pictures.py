"""Every single fault that makes an algorithm wrong is drawn until it is seen, and marked."""

from each import each, row_title
from settings import SOME_ROWS, THOROUGH
from survivors import cases, tried

from animations.player.pack.data import story
from animations.story.usual import usual_board
from collectives import WrongSchedule
from collectives.proof.first_wrong import MOST_LATER, first_wrong

EACH = 7 if THOROUGH else 199  # each so many mutants one is drawn, which takes far longer


@each("row", SOME_ROWS, row_title)
def test_mutants_are_drawn_as_the_check_judges_them(row):
    mutants = [(case, mutant) for case in cases(row) for mutant in tried(case)]
    for case, mutant in mutants[::EACH]:
        try:
            recording = case.recorded(mutant)
        except WrongSchedule as problem:
            recording = problem.recording
        verdict, wrong = recording.check(), first_wrong(recording)
        assert bool(verdict) == (wrong is None), (case, mutant.name)
        board = usual_board(recording)
        packed = story(board)
        if verdict:
            assert packed["wrong"] is None
            continue
        assert packed["wrong"]["band"] and packed["captions"][-1].endswith(wrong.sentence)
        assert len(board.frames) <= len(recording.steps) + wrong.refused
        drawn = len(wrong.recording.steps) + wrong.refused
        assert wrong.step <= drawn <= wrong.step + MOST_LATER or not wrong.step, mutant.name
