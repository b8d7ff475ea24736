from each import each
from settings import SOME_ROWS, taken

from animations.story.tally import tallies
from collectives import record


def title(row):
    return row.title


@each("row", [row for row in SOME_ROWS if row.promise.moves_data], title)
def test_no_rank_has_more_than_it_was_promised_and_in_the_end_all_have_it(row):
    recording = record(row.collective, row.algorithm, ranks=taken(row, 8, 5))
    found = tallies(recording, ())
    for tally in found.values():
        assert tally.finished[1] <= tally.wanted[1] and tally.done <= tally.goal
    last = found[len(recording.steps)]
    assert (last.finished, last.done) == (last.wanted, last.goal)
