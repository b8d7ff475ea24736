"""Chooses what a film says of why: the whys of a family, where they are true of the recording."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from animations.drawing.sheet import Sheet
from animations.phrases import Phrases
from animations.whys.arrivals import barrier_whys
from animations.whys.cables import cable_whys
from animations.whys.chain import chain_whys
from animations.whys.digits import digit_whys
from animations.whys.doubling import doubling_whys
from animations.whys.edges import edge_whys
from animations.whys.halving import halving_whys
from animations.whys.loads import beside_tree_whys, star_whys
from animations.whys.meetings import meeting_whys
from animations.whys.network_sums import far_first_whys, network_whys
from animations.whys.port_shares import port_whys
from animations.whys.prefixes import prefix_whys
from animations.whys.rings import ring_whys
from animations.whys.rivals import rival_whys
from animations.whys.round_trip import round_trip_whys
from animations.whys.sends import WhyFacts
from animations.whys.swings import swing_whys
from animations.whys.teller import Teller
from animations.whys.two_tree_work import two_tree_whys
from animations.whys.uneven import uneven_whys
from animations.whys.why import Why
from collectives.cost.clocks.timing import Timing
from collectives.recording.recording import Recording

MOST_CELLS = 1 << 22  # contributions of a state, beyond which nothing is counted
Family = Callable[[WhyFacts, Teller], Iterator[Why]]
ASKED_FIRST = uneven_whys, ring_whys, two_tree_whys, cable_whys, barrier_whys, round_trip_whys
ASKED_NEXT = chain_whys, network_whys, far_first_whys, meeting_whys, star_whys, swing_whys
ASKED_LATER = halving_whys, doubling_whys, beside_tree_whys, edge_whys, prefix_whys, digit_whys
FAMILIES: tuple[Family, ...] = (*ASKED_FIRST, *ASKED_NEXT, *ASKED_LATER, rival_whys, port_whys)


def whys_of(
    recording: Recording, say: Phrases, sheet: Sheet, timing: Timing | None = None
) -> tuple[Why, ...]:
    """The whys of the first family that has some to tell; none where all would be false.

    timing: on a machine.
    """
    if recording.ranks * recording.nodes * recording.slots > MOST_CELLS or not recording.steps:
        return ()
    facts, tell = WhyFacts(recording, timing), Teller(say, sheet)
    if not facts.steps:
        return ()
    return next(filter(None, (tuple(family(facts, tell)) for family in FAMILIES)), ())
