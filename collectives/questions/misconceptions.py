"""What learners get wrong, by name: why they think so, and when it would be true."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Misconception:
    """because: the wrong reason, after "because"; true_if: when its answer would be right."""

    because: str
    true_if: str


MISCONCEPTIONS = {
    "overwritten": Misconception(
        "what arrives replaces what is there",
        "if this transfer overwrote; it adds",
    ),
    "added": Misconception(
        "what arrives is added to what is there",
        "if this transfer added; it overwrites",
    ),
    "unchanged": Misconception(
        "nothing arrives here in this step",
        "before this step: it writes this cell",
    ),
    "everything at once": Misconception(
        "one step brings every rank's data",
        "if every rank's data arrived in this one step",
    ),
    "own data only": Misconception(
        "a rank keeps its own data and nothing else",
        "if a rank kept its own data alone",
    ),
    "sender's own data": Misconception(
        "a rank passes on its own data, not what it received",
        "if the sender passed on its own data alone; it passes on all that the slot holds",
    ),
    "one of several": Misconception(
        "only one transfer can reach a cell in a step",
        "if this cell were reached by the last of the step's transfers alone",
    ),
    "wrong neighbor": Misconception(
        "it goes the other way round",
        "if the other neighbor were at the other end of this transfer",
    ),
    "chunk beside it": Misconception(
        "the chunk with the next number moves",
        "if the chunk with the next number moved",
    ),
    "chunk on its way": Misconception(
        "it passes on what arrives in this same step",
        "if writes came before reads; in a step every read comes first",
    ),
    "chunk of its own number": Misconception(
        "a rank always sends the chunk of its own number",
        "if a rank sent the chunk of its own number in every step",
    ),
    "no such transfer": Misconception(
        "every two ranks exchange data in this step",
        "if there were a transfer this way between the two in this step",
    ),
    "itself": Misconception(
        "it only copies within itself",
        "if nothing left the rank in this step",
    ),
    "total for busiest": Misconception(
        "what all ranks send counts",
        "of all ranks together; the busiest is one of them",
    ),
    "one step too many": Misconception(
        "the next step counts already",
        "one step later",
    ),
    "one step too few": Misconception(
        "the step itself does not count yet",
        "one step earlier",
    ),
    "whole vector each step": Misconception(
        "it sends the whole vector in every step",
        "if it sent the whole vector in every step",
    ),
    "chunks for bytes": Misconception(
        "each chunk counts as one",
        "of the number of chunks; the question asks for their size",
    ),
    "sent and received": Misconception(
        "what it sends and what it receives add up",
        "of what it sends and receives together",
    ),
    "all at work": Misconception(
        "in a collective every rank works in every step",
        "if every rank sent or received in this step",
    ),
    "receivers rest": Misconception(
        "a rank that only receives is idle",
        "of the ranks that do not send; some of them receive",
    ),
    "senders rest": Misconception(
        "a rank that only sends is idle",
        "of the ranks that do not receive; some of them send",
    ),
    "one pair at a time": Misconception(
        "only two ranks can communicate at a time",
        "if a single transfer ran in this step",
    ),
    "turns": Misconception(
        "even and odd ranks take turns",
        "if only every other rank took part in this step",
    ),
    "first is last": Misconception(
        "whoever begins is done last",
        "if the order were turned round",
    ),
    "one before the last": Misconception(
        "the last step is for the rank before it",
        "if there were a step less; another rank is done after this one",
    ),
    "all at once": Misconception(
        "all ranks are done in the same step",
        "if no rank had to wait for another",
    ),
    "highest number": Misconception(
        "the rank with the highest number alone is last",
        "if data passed the ranks in the order of their numbers and ended there",
    ),
    "done earlier": Misconception(
        "it has all of its data before another rank has",
        "if its last data came later; it has all of it before another rank has",
    ),
    "scale-free": Misconception(
        "the number of steps does not depend on the number of ranks",
        "if the number of steps did not depend on the number of ranks",
    ),
    "twice as many": Misconception(
        "twice the ranks take twice the steps",
        "if twice the ranks always took twice the steps",
    ),
    "one more": Misconception(
        "twice the ranks take one step more",
        "if each doubling took one step more",
    ),
    "N for N - 1": Misconception(
        "N ranks take N steps a lap, not N - 1",
        "if each lap ended where it began",
    ),
    "harmless": Misconception(
        "the other transfers make up for it",
        "if the other transfers made up for the change",
    ),
    "lost": Misconception(
        "some data never arrives",
        "if some of the data never arrived",
    ),
    "doubled": Misconception(
        "some data arrives twice and is added twice",
        "if some of the data were added twice",
    ),
    "foreign": Misconception(
        "data ends where it does not belong",
        "if data of another chunk or rank ended in a promised slot",
    ),
    "refused": Misconception(
        "an empty slot would be read",
        "if a transfer read a slot that is still empty",
    ),
    "conflict": Misconception(
        "two transfers would overwrite the same slot",
        "if two transfers of one step overwrote the same slot",
    ),
}

KNOWN = MISCONCEPTIONS.copy()  # with those of who asks other questions
