"""The readings of lectures on trouble, benchmarks and training, beside those of claims."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from animations.course import benchmarks, examples, training_numbers, trouble
from collectives.evidence.readings import Reading

READ: Sequence[Reading] = (
    *(*benchmarks.READ, *examples.READ, *training_numbers.READ, *trouble.READ),
    *(cast(Reading, text) for text in (benchmarks.tuned_choice, examples.verdict)),
)
