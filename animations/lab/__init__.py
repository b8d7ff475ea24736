"""All that a lab needs: `from animations.lab import *`.

`Exercise` checks an answer, `hint` and `parsons` help with it, `predict` asks before it shows, and
`save_answers` writes what was answered.
The rest are names of numpy, collectives and animations, so that a lab imports nothing else.

>>> from animations.lab import Exercise
>>> Exercise("broken reduce-scatter").hints[0][:23]
'Look at the last step: '
"""

from importlib import import_module

_NAMES = {  # of each module; what stands behind "=" is the name of it here
    "animations.lab.lab_exercise": "LabExercise=Exercise hint steps_of",
    "animations.lab.line_order": "Parsons=parsons",
    "animations.lab.computed_predictions": "hurt_by_a_loss predict",
    "animations.lab.printed_exercise": "PrintedExercise",
    "animations.notebook.saved_answers": "save_answers",
    "animations.lab.shown": "code_of lanes machine_map show",
    "animations.lab.judges": "vector",
    "animations.lab.machine_judges": "ring_through",
    "animations.lab.trouble_judges": "incident",
    "animations.lab.printed_benchmarks": "benchmark",
    "animations": "Modeler Prediction Stepper",
    "animations.figures.algorithm_times": "over_sizes",
    "animations.figures.space_time": "draw space_time",
    "animations.figures.sweep": "Sweep",
    "animations.figures.time_curves": "draw_sizes",
    "collectives": "BadInput Faults NotInstalled addition_order backwards check choose compare "
    "expect pipelined rank record reduce send table time together topology train transposed within",
    "collectives.algorithms": "binomial ring",
    "collectives.catalog": "find_row",
    "collectives.cost.busbw": "bandwidths meaning",
    "collectives.cost.choose.crossover": "closed_crossings law",
    "collectives.cost.choose.ring_or_trees": "ring_beats_trees",
    "collectives.cost.choose.setup": "Setup emptied",
    "collectives.cost.clocks.clock": "dataflow lockstep",
    "collectives.cost.clocks.costs": "Costs",
    "collectives.cost.libraries.default_algorithm": "table=choices",
    "collectives.cost.libraries.nccl.graphs": "hgx",
    "collectives.cost.libraries.nccl.tuner": "ranges=nccl_ranges",
    "collectives.cost.machines": "topology_for",
    "collectives.cost.machines.faults": "jittery late_rank slow_rank",
    "collectives.cost.machines.links": "find_link",
    "collectives.launch": "launch",
    "collectives.training.parallel": "bubble",
    "collectives.units": "rate_text size_text time_text",
    "functools": "partial",
    "IPython.display": "display",
}
_HOME = {
    pair.partition("=")[2] or pair: (module, pair.partition("=")[0])
    for module, names in _NAMES.items()
    for pair in names.split()
}

_MODULES = {"np": "numpy", "predictions": "animations.lab.predictions"}

__all__ = [*_MODULES, *_HOME]


def __getattr__(name: str) -> object:
    """Import a name when it is first used."""
    if name in _MODULES:
        return import_module(_MODULES[name])
    if name not in _HOME:
        raise AttributeError(f"module 'animations.lab' has no attribute {name!r}")
    module, original = _HOME[name]
    return getattr(import_module(module), original)


def __dir__() -> list[str]:
    return sorted(__all__)
