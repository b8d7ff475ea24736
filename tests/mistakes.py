"""The mistakes of tests/gallery/broken.py, each with the setting in which it is made."""

import importlib.util
import inspect
from pathlib import Path

from collectives import WrongSchedule, exchange
from collectives.proof.own_algorithm import OwnAlgorithm


def _broken():
    spec = importlib.util.spec_from_file_location(
        "broken", Path(__file__).parent / "gallery" / "broken.py"
    )
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def neighbors(n):
    """Everybody's data goes to the right."""
    return exchange([(rank, 0, (rank + 1) % n, 0) for rank in range(n)])


FUNCTIONS = {
    name: function
    for name, function in vars(_broken()).items()
    if inspect.isfunction(function) and function.__module__ == "broken"
}
ONE_SLOT = (
    "whole_tensor_all_reduce",
    "double_count_all_reduce",
    "missed_fold_all_reduce",
    "root_mix_up_reduce",
    "stale_read_reduce",
    "wrong_parent_reduce",
    "endless_broadcast",
    "empty_read_broadcast",
    "higher_ranks_scan",
    "far_pairs_first_reduce",
)
SETTINGS = {name: {"slots": 1} for name in ONE_SLOT} | {
    "lost_tail_broadcast": {"chunks": 3},
    "wrong_neighbor_send_recv": {"slots": 1, "collective": neighbors},
}
SMALLEST = {  # ranks; 2 where not said
    "whole_tensor_all_reduce": 3,
    "double_count_all_reduce": 3,
    "missed_fold_all_reduce": 3,
    "stale_read_reduce": 3,
    "wrong_parent_reduce": 3,
    "half_heard_barrier": 3,
    "wrong_neighbor_send_recv": 3,
    "empty_read_broadcast": 4,
    "far_pairs_first_reduce": 4,
    "forgotten_yield_from_broadcast": 1,
    "no_verb_all_reduce": 1,
}


def recorded(name, ranks=None):
    """The recording of a mistake on so many ranks, else on the fewest; as far as it goes."""
    settings = SETTINGS.get(name, {})
    own = OwnAlgorithm(
        FUNCTIONS[name], settings.get("collective"), settings.get("chunks"), settings.get("slots")
    )
    ranks = ranks or SMALLEST.get(name, 2)
    try:
        return own.record(ranks, 1 if name == "root_mix_up_reduce" else 0)
    except WrongSchedule as problem:
        return problem.recording
