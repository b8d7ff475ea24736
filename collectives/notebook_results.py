"""What verdicts, times, closed forms and choices show at the end of a notebook's cell."""

from __future__ import annotations

import re
from html import escape
from typing import TYPE_CHECKING

from collectives.notebook_display import table_html
from collectives.theory import LETTERS
from collectives.units import size_text, time_text
from collectives.words import plural

if TYPE_CHECKING:
    from collectives.cost.bounds.closed import ClosedForm
    from collectives.cost.clocks.timing import Timing
    from collectives.cost.libraries.default_algorithm import LibraryChoice
    from collectives.proof.prove import Verdict

RIGHT = ("✓ right", "var(--jp-success-color1, #2e8540)")
WRONG = ("✗ wrong", "var(--jp-error-color1, #e0503c)")


def verdict_html(verdict: Verdict) -> str:
    """Right or wrong, with a sign, and why, in lines as wide as the cell."""
    sign, color = RIGHT if verdict.ok else WRONG
    style = f"color: {color}; font-weight: bold"
    return (
        f'<p style="max-width: 60em"><span style="{style}">{sign}</span> {escape(str(verdict))}</p>'
    )


def timing_html(timing: Timing) -> str:
    """What was timed where, how long it takes, and what the busiest link does meanwhile."""
    recording = timing.recording
    ranks, size = plural(recording.ranks, "rank"), size_text(recording.case.S)
    body = [
        ("schedule", f"{recording.title}, {ranks}, {size}"),
        ("machine", timing.topology.name),
        (f"time by the {timing.clock} clock", time_text(timing.total)),
        ("steps", f"{len(timing.step_end):,}"),
    ]
    use = timing.link_use
    if use.any():
        busiest = int(use.argmax())
        carried = size_text(int(timing.shared_bytes[busiest]))
        busy = f"{carried}, in use for {100 * use[busiest]:.3g} % of the time"
        body.append(("busiest link", f"{timing.topology.cable_label(busiest)}: {busy}"))
    return table_html(("timing", ""), body)


def closed_form_html(form: ClosedForm) -> str:
    """The time as a formula, for this number of ranks and for any; its letters in words."""
    names = {"S", *re.findall(r"\w+", " ".join(form.formula or ()))}
    body = [("time", form.text), ("α", "the latency of a message"), ("β", "the time of a byte")]
    body += [("γ", "the time to add a byte")] * bool(form.added)
    body += [(name, letter.meaning) for name, letter in LETTERS.items() if name in names]
    return table_html(("closed form", ""), body)


def choice_html(choice: LibraryChoice) -> str:
    """What a library would use, by which rule, and the row of the catalog that shows it."""
    body = [
        ("uses", choice.library_name),
        ("rule", choice.rule),
        ("in this catalog", f"{choice.collective} {choice.row}".replace("_", "-")),
        *[("note", choice.note)] * bool(choice.note),
    ]
    return table_html((str(choice).split(" ")[0], ""), body)
