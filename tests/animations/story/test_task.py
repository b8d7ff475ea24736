import pytest

from animations.story.task import task_of
from collectives import ROWS, record
from collectives.collective import COLLECTIVES

BY_PAIRS = ("send_recv", "dispatch", "combine")  # which promise what data says


@pytest.mark.parametrize("ranks", [4, 8])
@pytest.mark.parametrize("collective", [name for name in COLLECTIVES if name not in BY_PAIRS])
def test_the_workbench_names_the_algorithm_of_the_fewest_bytes_of_those_of_the_fewest_steps(
    collective, ranks
):
    plain = [
        record(collective, row.algorithm, ranks=ranks)
        for row in ROWS
        if row.collective == collective and not row.in_network and row.accepts(ranks)
    ]
    steps, reached, title = task_of(plain[0]).fewest[0]  # with one port
    fewest = [each for each in plain if each.counters.ports <= 1 and each.counters.steps == steps]
    if reached:
        least = min(each.bytes_busiest_port for each in fewest)
        named = {each.title: each.row for each in fewest if each.bytes_busiest_port == least}
        assert title in named
        assert not named[title].takes or all(row.takes for row in named.values())
    else:
        assert not fewest
