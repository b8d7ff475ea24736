"""The predictions of a lab: questions whose right answers are found by executing."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, cast

import numpy as np

from animations.course.readings import LECTURE_READINGS
from animations.lab.entries import find_entry
from animations.lab.predictions.predicted import amount, choose, multiple
from animations.lab.predictions.ring_questions import complete_chunks
from animations.lab.printed_benchmarks import times_longer
from animations.notebook.prediction import Prediction
from collectives.errors import BadInput
from collectives.evidence.claims import evaluate
from collectives.evidence.readings import Reading
from collectives.exercises.slot_exercises import ranks_ending_wrong
from collectives.proof.check import check
from collectives.questions import Question
from collectives.questions.misconceptions import KNOWN, Misconception
from collectives.recording.recorder import record
from collectives.schedule import transposed


def transposed_keeps(collective: str, algorithm: str, promise: str, ranks: int = 4) -> int:
    """Whether an algorithm that is transposed keeps another promise, as 1 or 0."""
    steps = transposed(record(collective, algorithm, ranks=ranks).steps)
    return int(bool(check(steps, collective=promise, ranks=ranks)))


def copies(algorithm: str, **parameters: int) -> int:
    """The most copies of one token that cross between nodes in the first step of a dispatch.

    There are 32 ranks in four nodes; a token has eight of 256 experts.
    """
    routed = {"tokens": 16, "experts": 256, "topk": 8}
    step = record("dispatch", algorithm, ranks=32, parameters=routed | parameters).steps[0]
    return int(np.bincount(step.chunk[step.src // 8 != step.dst // 8]).max())


def last_senders(algorithm: str, ranks: int) -> int:
    """Ranks that send in the last step of an all-reduce."""
    return len(np.unique(record("all_reduce", algorithm, ranks=ranks).steps[-1].src))


def hurt_by_a_loss(algorithm: str, ranks: int, number: int) -> int:
    """Ranks that end an all-reduce with a wrong sum if the first transfer of a step is lost."""
    run = record("all_reduce", algorithm, ranks=ranks)
    steps = [*run.steps]
    steps[number - 1] = steps[number - 1].select(np.arange(1, len(steps[number - 1])))
    return len(ranks_ending_wrong(run, steps) or ())


def whole_sum(ranks: int, rank: int) -> str:
    """The chunk of which a rank has the whole sum after half of the steps of a ring all-reduce."""
    run = record("all_reduce", "ring", ranks=ranks)
    [chunk] = complete_chunks(run, rank, len(run.steps) // 2)
    return f"chunk {chunk}"


OWN = (transposed_keeps, copies, times_longer, last_senders, hurt_by_a_loss, whole_sum)
LAB_READINGS = {**LECTURE_READINGS, **{own.__name__: cast(Reading, own) for own in OWN}}
FACTORS = ("S", "×")  # units of multiples; others are nouns of whole numbers


def predict(name: str, hidden: object = None) -> Prediction:
    """A prediction of a lab, which hides a table, a picture or a widget until it is answered.

    Parameters
    ----------
    name
        Of the prediction.
    hidden
        As `Prediction` takes it: a function that prints or returns what is hidden, or that itself.

    Raises
    ------
    BadInput
        For an unknown name.
    """
    return Prediction(asked_of(name), hidden)


def asked_of(name: str) -> list[Question]:
    """The question of a prediction; raises BadInput for an unknown name, or an untrue answer."""
    entry = find_entry("prediction", name)
    for _, belief, *feedback in entry["wrong"]:  # without feedback it is a known one, by its name
        if feedback:
            KNOWN.setdefault(belief, Misconception(belief, *feedback))
    texts = entry["ask"], entry["detail"]
    reason: dict[str, Any] = {"because": entry["because"], "hint": entry["hint"]}
    wrong: list[tuple[Any, str]] = [(answer, belief) for answer, belief, *_ in entry["wrong"]]
    unit = entry.get("unit")
    if unit is None:
        equals, holds = entry.get("equals"), entry.get("holds", "0")
        if not (_value(equals) == entry["right"] if equals else _value(holds) > 0):
            raise BadInput(f"prediction {name!r}: {entry['right']} is not what executing gives")
        options = [(answer, answer, belief) for answer, belief in wrong]
        return choose(*texts, (entry["right"], entry["right"]), options, **reason)
    right = _value(entry["right"])
    values = [(_value(answer), belief) for answer, belief in wrong]
    explanation = entry.get("explained", "").format(right=_text(right))
    if unit in FACTORS:
        factors = [(float(value), belief) for value, belief in values]
        more = {"unit": f" {unit}", "explanation": explanation, **reason}
        return multiple(*texts, float(right), factors, **more)
    counts = [(round(value), belief) for value, belief in values]
    return amount(*texts, round(right), unit, counts, **reason, explanation=explanation)


def _value(text: str) -> int | float | Fraction:
    return evaluate(text, LAB_READINGS)


def _text(value: int | float | Fraction) -> str:
    return f"{float(value):.4g}"
