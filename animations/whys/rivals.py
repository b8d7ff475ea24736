"""Why one would choose this: what its ports send, pass or take in, beside those of a rival."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from animations.whys.loads import FEWEST, MOST_PORTS, Loads, PortColumns, PortPanel
from animations.whys.sends import WhyFacts, again
from animations.whys.teller import Teller
from animations.whys.why import Why
from collectives.recording.recording import Recording
from collectives.structure import Groups
from collectives.units import number_text


@dataclass(frozen=True)
class Rival:
    """What a row is compared with: an algorithm, and what of its ports is counted.

    reason: the sentence that says why this row has more, or less. more: whether it has more. back:
    what else is counted, where that is no less. port: of which rank, else of the busiest.
    """

    algorithm: str
    measure: str
    reason: str
    more: bool = False
    back: str = ""
    port: int | None = None

    @property
    def noun(self) -> str:
        """What is counted: vectors, or messages."""
        return "message" if self.measure in ("messages", "crossing") else "vector"


RING_FEW = Rival("ring", "passed", "few", more=True)
RIVALS = {
    ("all_gather", "multicast"): Rival("ring", "sent", "copies", back="received"),
    ("all_gather", "nvls"): Rival("ring", "sent", "copies", back="received"),
    ("all_reduce", "multicast"): Rival("flat", "sent", "copies", back="received"),
    ("all_reduce", "multishot"): RING_FEW,
    ("all_reduce", "short-rank"): Rival("ring", "sent", "short", port=0),
    ("all_to_all", "hierarchical"): Rival("pairwise", "messages", "bundles"),
    ("barrier", "linear"): Rival("dissemination", "messages", "door", more=True),
    ("combine", "direct"): Rival("two-hop", "crossing", "straight", more=True),
    ("combine", "two-hop"): Rival("direct", "crossing", "combine"),
    ("dispatch", "direct"): Rival("two-hop", "crossing", "straight", more=True),
    ("dispatch", "two-hop"): Rival("direct", "crossing", "dispatch"),
    ("gather", "flat"): Rival("tree", "messages", "door", more=True),
    ("reduce_scatter", "butterfly"): RING_FEW,
    ("reduce_scatter", "nvls"): Rival("ring", "received", "adds", back="sent"),
    ("scatter", "flat"): Rival("tree", "messages", "door", more=True),
}


def rival_whys(facts: WhyFacts, tell: Teller) -> Iterator[Why]:
    """Of a row of RIVALS: its ports beside those of the rival, where the difference is there."""
    recording, n = facts.recording, facts.ranks
    name = recording.collective.name
    rival = RIVALS.get((name, recording.algorithm))
    if rival is None or not FEWEST <= n <= MOST_PORTS:
        return
    against = again(recording, rival.algorithm, n)
    if against is None:
        return
    if rival.noun == "vector" and not (WhyFacts(against).even and facts.even):
        return
    both = against, recording
    theirs, own = (counted(played, rival.measure, both) for played in both)
    beyond = busiest(own, rival.port) - busiest(theirs, rival.port)
    steps = [len(loads[0]) for loads in (theirs, own)]
    if abs(beyond) < 1e-9 or (beyond > 0) != rival.more:
        return
    if rival.reason == "few" and steps[1] >= steps[0]:
        return
    beside = tell.say(f"why.rival_{rival.algorithm.replace('-', '_')}")
    taken = [tell.say.plural(number, "step") for number in steps]
    texts = [_text(tell, load, rival) for load in (theirs, own)]
    sentences = [
        tell(f"rival_{rival.measure}", rival=beside, number=texts[0], steps=taken[0]),
        tell(f"rival_{rival.reason}", number=texts[1], steps=taken[1]),
    ]
    panels = [
        _panel(tell, theirs, beside, rival),
        _panel(tell, own, tell.say("why.rival_here"), rival),
    ]
    if rival.back:
        before, back = (counted(played, rival.back, both) for played in both)
        if busiest(back) >= busiest(before):
            sentences.append(tell(f"rival_no_less_{rival.back}", number=_text(tell, back, rival)))
            panels.append(_panel(tell, back, tell.say(f"why.rival_here_{rival.back}"), rival))
    aside, need = tell(f"rival_aside_{rival.noun}", ranks=tell.ranks(n)), int(not rival.more)
    yield tell.why("rival", sentences, PortColumns(tuple(panels)), aside, need)


def busiest(loads: Loads, port: int | None = None) -> float:
    """What passes the busiest port, or one."""
    totals = [*map(sum, loads)]
    return max(totals, default=0.0) if port is None else totals[port]


def counted(recording: Recording, measure: str, both: tuple[Recording, Recording]) -> Loads:
    """By rank and step what is counted, in vectors or messages: out, or in if that is more in all.

    both: the recordings that are compared, one of which knows the nodes where messages cross.
    """
    n, steps = recording.ranks, list[list[npt.NDArray[np.float64]]]()
    homes = np.zeros(max(played.nodes for played in both), np.intp)
    for groups in (played.structure for played in both):
        if isinstance(groups, Groups):
            for number, members in enumerate(groups.members):
                homes[list(members)] = number
    for place, step in enumerate(recording.steps):
        rows = step.unrolled()
        sizes = recording.sizes(place)[rows.src, rows.chunk] / max(1, recording.count)
        away = rows.src != rows.dst
        if not away.any():
            continue
        src, dst, sizes = rows.src[away], rows.dst[away], sizes[away]
        if measure in ("messages", "crossing"):
            links = np.unique(np.stack([src, dst], axis=1), axis=0)
            crosses = homes[links[:, 0]] != homes[links[:, 1]]
            src, dst = (links[crosses] if measure == "crossing" else links).T
            ends = [np.bincount(end, minlength=recording.nodes) for end in (src, dst)]
        else:
            ends = [np.bincount(end, sizes, recording.nodes) for end in (src, dst)]
        steps.append([end[:n].astype(float) for end in ends])
    out, back = np.array(steps, float).transpose(1, 2, 0)
    more_out = out.sum(axis=1) >= back.sum(axis=1)
    larger = np.where(more_out[:, None], out, back)
    counts = {"sent": out, "crossing": out, "received": back}.get(measure, larger)
    return tuple(map(tuple, counts.tolist()))


def _text(tell: Teller, loads: Loads, rival: Rival) -> str:
    """So many vectors, or messages."""
    number = busiest(loads, rival.port)
    noun = tell.say.noun(rival.noun) if abs(number - 1) < 1e-9 else tell.say.several(rival.noun)
    return f"{number_text(number)} {noun}"


def _panel(tell: Teller, loads: Loads, title: str, rival: Rival) -> PortPanel:
    names = tuple(map(str, range(len(loads))))
    return PortPanel(title, names, loads, tell.figure(busiest(loads, rival.port)), rival.port)
