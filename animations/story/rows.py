"""The algorithms of a collective by their closed forms: which takes the fewest steps, or bytes."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from collectives.catalog import NO_PARAMETERS, ROWS, Row
from collectives.catalog.row import ranks_only
from collectives.cost.bounds.closed import ClosedForm, by_formula
from collectives.errors import BadInput
from collectives.theory import Case

Order = Callable[[ClosedForm], tuple[object, ...]]


def by_steps(form: ClosedForm) -> tuple[object, ...]:
    """Steps first, of as many the bytes through the busiest port."""
    return form.steps, form.busiest_port


def by_bytes(form: ClosedForm) -> tuple[object, ...]:
    """Bytes through the busiest port first, of as many the steps."""
    return form.busiest_port, form.steps


def ordered(collective: str, ranks: int, root: int, order: Order) -> list[tuple[Row, ClosedForm]]:
    """Rows that need no more than ranks and a root, with their closed forms for a vector of 1.

    Without those that take fewer steps than one message at a time can; as in the catalog where
    they are equal.
    """
    rows = [row for row in ROWS if row.collective == collective]
    forms = [(row, form) for row in rows if (form := _form(row, ranks, root)) is not None]
    return sorted(forms, key=lambda each: order(each[1]))


def _form(row: Row, ranks: int, root: int) -> ClosedForm | None:
    if row.takes or row.nodes is not ranks_only:
        return None
    try:
        setting = row.setting(ranks, root)
    except BadInput:
        return None
    sizes = np.ones(row.chunk_count(setting), int)
    form = by_formula(row.form, Case(ranks, sizes, root, 1, NO_PARAMETERS))
    return form if form is not None and form.steps >= (ranks - 1).bit_length() else None
