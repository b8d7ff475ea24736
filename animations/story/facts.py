"""What is said of a whole recording: title, subtitle, phases, curve of steps."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from animations.phrases import Phrases
from animations.story.labels import Labels
from animations.story.lazy_value import LazyValue
from collectives.cost.choose.channels import channels_there
from collectives.cost.machines.topology import Topology
from collectives.recording.phases import Phase, phases
from collectives.recording.recording import Recording
from collectives.schedule.provenance import forward
from collectives.structure import Groups, Torus, TwoTrees
from collectives.theory.case import Case, ceil_log
from collectives.units import size_text

OF_RANKS = {"N", "C", "L", "P", "R", "V"}  # letters of formulas that N determines
MOST_POINTS = 32  # of a curve of steps
MOST_CURVED = 16  # ranks of a curve of steps, at least


@dataclass(frozen=True)
class Textbook:
    """What a film says of an algorithm by its text and its row, whatever it runs on.

    idea: the first sentence of its text. curve: for numbers of ranks that it accepts, these, the
    steps by its closed form and the lower bound; none where it is not the executed count or needs
    more than N.
    """

    idea: str = ""
    curve: tuple[tuple[int, int, int], ...] = ()


def title_of(recording: Recording, say: Phrases) -> str:
    """The name of the algorithm, with a capital letter."""
    row = recording.row
    if row is None:
        return recording.heading
    return say.title(row.heading, row.algorithm, recording.collective.title)


def promise_of(recording: Recording, say: Phrases) -> str:
    """What the collective promises, in a sentence that names the operation."""
    text = say.promise(recording.collective.sentence)
    operation = say(f"operations.the_{recording.op}")
    return say.contracted(text.replace(say("operations.the_sum"), operation))


def need_of(recording: Recording, say: Phrases) -> str:
    """Why anybody needs the collective, in a sentence; nothing of other sums and of one rank."""
    name, row = recording.collective.name, recording.algorithm.replace("-", "_")
    some = "_some" * (0 in (recording.counts or ()))  # have none, or need none
    known = say.patterns.get(f"needs.{row}") or say.patterns.get(f"needs.{name}{some}", "")
    unsummed = recording.collective.reduces and recording.op != "sum"
    return "" if unsummed or recording.ranks < 2 else known


def reason_of(recording: Recording, say: Phrases) -> str:
    """The same with the ranks and the bytes of the vector, where these are part of the matter."""
    need, key = need_of(recording, say), f"reasons.{recording.collective.name}"
    if not need or key not in say.patterns:
        return need
    return say(
        key, ranks=recording.ranks, size=size_text(recording.count * recording.dtype.itemsize)
    )


def phases_of(recording: Recording, say: Phrases) -> tuple[Phase, ...]:
    """The phases, with their names and promises in the language of the picture."""
    return tuple(
        replace(
            phase,
            name=say.phase(phase.name),
            promise=with_values(say.promise(phase.promise), recording.parameters),
        )
        for phase in phases(recording)
    )


def with_values(text: str, parameters: Mapping[str, object]) -> str:
    """A sentence of a source, with the values of the parameters that it names.

    >>> with_values("a message carries at most `aggregation` of them", {"aggregation": 4})
    'a message carries at most 4 of them'
    """
    return re.sub(r"`(\w+)`", lambda name: str(parameters.get(name[1], name[1])), text)


def heading_of(recording: Recording, labels: Labels) -> str:
    """The heading of the counters' numbers."""
    if recording.collective.promises_nothing:
        return labels.say("counters.heading_unproved")
    if recording.bound.holds:
        return labels.say("counters.heading")
    return labels.say("counters.heading_unbounded", helpers=labels.say.several(labels.helper))


def subtitle_of(recording: Recording, labels: Labels, machine: Topology) -> str:
    """Ranks, chunks, bytes, parameters, operation, and of how many channels one is drawn."""
    say = labels.say
    parts = [say.plural(recording.ranks, "rank")]
    if recording.nodes > recording.ranks:
        parts.append(say.plural(recording.nodes - recording.ranks, labels.helper))
    if labels.moves_data:
        parts.append(say.plural(recording.chunk_count, "block" if labels.in_blocks else "chunk"))
        parts.append(size_text(recording.count * recording.dtype.itemsize))
    parts += [f"{name} {value}" for name, value in recording.parameters.items()]
    if recording.collective.rooted:
        parts.append(say("subtitle.root", rank=recording.root))
    if recording.collective.reduces:
        parts.append(say(f"operations.{recording.op}"))
    channels = channels_there(replace(recording, given={}), machine)
    if channels > 1 and recording.setting.channels == 1:
        parts.append(say("subtitle.channels", channels=channels))
    return " · ".join(parts)


def idea_of(recording: Recording, say: Phrases) -> str:
    """The first sentence of the text of the algorithm: what its outermost function promises.

    Nothing where its fewest bytes may be part of it, and unequal chunks take more; nor of two
    trees whose chunks are not halves, or of groups of which there is one.
    """
    row, counts, trees = recording.row, recording.counts, recording.structure
    uneven = isinstance(trees, TwoTrees) and len({*map(len, trees.chunks)}) > 1
    if uneven or is_one_group(recording):
        return ""
    if row is not None and "B" in row.form.optimal and counts and len({*counts}) > 1:
        return ""
    stacks = (forward(stamp) for step in recording.steps for stamp in step.stamps)
    promise = next((stack[0].source.promise for stack in stacks if stack), "")
    return with_values(say.promise(promise), recording.parameters) if promise else ""


def is_one_group(recording: Recording) -> bool:
    """Whether all ranks are in one node, or in one row."""
    groups = recording.structure
    in_row = isinstance(groups, Torus) and recording.ranks in groups.shape
    return in_row or (isinstance(groups, Groups) and len(groups.members) == 1)


def curve_of(recording: Recording) -> tuple[tuple[int, int, int], ...]:
    """Ranks, steps by the closed form and the fewest possible, for up to twice as many ranks."""
    row, bound = recording.row, recording.bound
    if row is None or recording.parameters or not bound.holds or recording.ranks == 1:
        return ()
    if recording.collective.pairs is not None or not recording.collective.moves_data:
        return ()
    symbols = {letter.symbol for letter in row.form.letters(row.form.steps)}
    counted = row.form.holds(row.form.steps, recording.case, recording.counters.steps)
    if not counted or not symbols <= OF_RANKS:
        return ()
    end = max(MOST_CURVED, 2 * recording.ranks) + 1
    ranks = sorted({*range(2, end, -(-end // MOST_POINTS)), recording.ranks})
    accepted = (n for n in ranks if row.sizes.accepts(replace(recording.setting, ranks=n)))
    cases = (Case(n, np.ones(recording.chunk_count, np.intp)) for n in accepted)
    return tuple(
        (case.N, row.form.step_count(case), ceil_log(case.N, bound.ports + 1)) for case in cases
    )


def words_of(recording: Recording, labels: Labels, machine: Topology) -> dict[str, Any]:
    """What a storyboard says of its recording."""
    say = labels.say
    promise = promise_of(recording, say)
    nothing = recording.collective.promises_nothing
    textbook = LazyValue(lambda: Textbook(idea_of(recording, say), curve_of(recording)))
    return {
        "title": title_of(recording, say),
        "subtitle": subtitle_of(recording, labels, machine),
        "promise": promise,
        "need": need_of(recording, say),
        "reason": reason_of(recording, say),
        "ending": promise if nothing else say("captions.ending", promise=promise),
        "heading": heading_of(recording, labels),
        "textbook_when_asked": textbook,
    }
