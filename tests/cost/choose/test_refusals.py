"""What cannot be asked of the advice on chunks, crossovers and the best algorithm."""

from math import nan

import pytest
from cost.choose.places import CHAIN, on

from collectives.cost.bounds.closed import closed_form
from collectives.cost.choose.chunks import best_chunks
from collectives.cost.choose.crossover import crossings
from collectives.cost.choose.ranking import rank_algorithms
from collectives.cost.choose.setup import sized
from collectives.errors import BadInput

PLACE = on("crossbar")
BAD = [
    (lambda: rank_algorithms("barrier", "8", 0, PLACE), "ranks '8': must be a whole number"),
    (lambda: rank_algorithms("barrier", 0, 0, PLACE), "ranks 0: must be at least 1; try: 1"),
    (lambda: rank_algorithms("barrier", 4, nan, PLACE), "size nan: must be a whole number"),
    (
        lambda: rank_algorithms("all-reduce", 4, 8, PLACE, parameters={"gpus": "2"}),
        "gpus '2': must be a whole number",
    ),
    (
        lambda: rank_algorithms("barrier", 4, 8, PLACE, most_messages=None),
        "most messages None: must be a whole number",
    ),
    (lambda: rank_algorithms("scan", None, 8, PLACE), "ranks None: must be a whole"),
    (lambda: best_chunks(CHAIN, 4, -1, PLACE), "size -1: must be at least 0"),
    (lambda: best_chunks(CHAIN, 4, 2**63, PLACE), "must be at most 2^48"),
    (lambda: best_chunks(CHAIN, 4, 8, PLACE, root=[]), "root []: must be a whole number"),
    (lambda: crossings(float, float, smallest=0), "smallest 0: must be at least 1; try: 1"),
    (lambda: closed_form(sized(CHAIN, 4, 8, 2)).seconds(nan, 1, 1), "size nan: must be a number"),
]


@pytest.mark.parametrize(("call", "says"), BAD, ids=[says for _, says in BAD])
def test_what_cannot_be_asked_is_refused_in_one_line(call, says):
    with pytest.raises(BadInput) as told:
        call()
    assert says in str(told.value) and "\n" not in str(told.value)
