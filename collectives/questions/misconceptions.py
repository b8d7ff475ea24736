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

PREDICTED = {  # what the predictions of the lectures offer
    "one lap": Misconception("one lap round the ring is enough", "of one lap; there are two"),
    "doubling": Misconception(
        "data can reach twice as many ranks in each step",
        "if every rank that has it passed all of it on in each step",
    ),
    "twice as many bytes": Misconception(
        "twice the ranks send twice the bytes", "if the chunks stayed as large as they were"
    ),
    "shared bytes": Misconception(
        "twice the ranks share the bytes", "if there were no more steps than before"
    ),
    "scale-free bytes": Misconception(
        "what a rank sends does not depend on the number of ranks",
        "if steps and chunks changed by exactly inverse factors",
    ),
    "next rank's chunk": Misconception(
        "the sum ends one rank before its number", "if each chunk started one rank earlier"
    ),
    "left neighbor's chunk": Misconception(
        "the chunk that came first is done first", "if each chunk started one rank later"
    ),
    "nothing before the end": Misconception(
        "sums are complete at the end only", "if the second half went on adding"
    ),
    "only the root sends": Misconception(
        "the root sends to every other rank itself", "if no other rank helped"
    ),
    "half": Misconception(
        "each step settles two ranks", "if no more than two ranks got it in a step"
    ),
    "all at work at last": Misconception(
        "in the last step everybody sends", "if there were a rank without it for each of the others"
    ),
    "one for each step": Misconception(
        "each step adds one sender", "if the number of senders grew by one in each step"
    ),
    "sent once": Misconception("it sends its data once", "of a rank that sends in one step only"),
    "one way": Misconception("one way through the tree is enough", "of one way; there are two"),
    "like a ring": Misconception("it goes round the ranks as in a ring", "of the ring"),
    "rounded down": Misconception(
        "the power of two below counts", "of the largest power of two below this number of ranks"
    ),
    "shared work": Misconception("the ranks share the work", "of a ring, where all send the same"),
    "first receiver": Misconception(
        "it has the most ranks below it", "if the root stopped after its first message"
    ),
    "one message": Misconception(
        "latency and bytes of one message decide", "of one message, not of all steps"
    ),
    "each chunk a message": Misconception(
        "each rank's chunk must be as long as the latency",
        "if a tree sent no byte more than a ring",
    ),
    "smaller on more ranks": Misconception(
        "more ranks send smaller chunks", "if the ring took no more steps on more ranks"
    ),
    "better on more ranks": Misconception(
        "a ring gets better on more ranks", "if it took no more steps on more ranks"
    ),
    "worse on more ranks": Misconception(
        "a ring gets worse on more ranks", "if the ring got more steps and the tree none"
    ),
    "a constant": Misconception(
        "it depends on latency and bandwidth alone", "if steps did not depend on the ranks"
    ),
    "fewest steps win": Misconception(
        "small vectors want the fewest steps", "if the tree branched everywhere"
    ),
    "trees inside": Misconception("trees are for fast links", "if the tree branched inside a node"),
    "rings everywhere": Misconception("NCCL is known for rings", "if no tree took fewer hops"),
    "rings inside": Misconception("rings are for fast links", "where a tree is a chain in a node"),
    "both times": Misconception("both parts add up", "if the bytes took twice the latency"),
    "half the time": Misconception("each has half of it", "if the bytes took half the latency"),
    "bandwidth": Misconception(
        "it is the number of the bandwidth", "of the bandwidth in GB/s, not of a size"
    ),
    "units": Misconception("the units differ by a thousand", "in the next larger or smaller unit"),
    "more steps, more bytes": Misconception(
        "more steps send more bytes", "if the messages of both were of the same size"
    ),
    "the same sum": Misconception(
        "both compute the same sum", "if both cut the vector into the same chunks"
    ),
    "proportional": Misconception("it is in proportion", "if only one of two things doubled"),
    "cubed": Misconception("several factors multiply", "if one more factor of this kind counted"),
    "more is better": Misconception("more parts overlap better", "if latency cost nothing"),
    "fewest messages": Misconception(
        "fewer messages cost less latency", "if nothing could overlap"
    ),
    "one for each rank": Misconception("each rank needs a chunk", "of a ring all-reduce"),
    "in the middle": Misconception("the best is in the middle", "of other latencies or sizes"),
    "all wait": Misconception("all ranks depend on one another", "if every rank needed its data"),
    "data is a barrier": Misconception(
        "ranks wait for data, and it is late", "if others needed its data; it is the last"
    ),
    "only a barrier waits": Misconception("only barriers wait", "if no rank needed its data"),
    "late is harmless": Misconception(
        "it makes no difference", "if what changed were not on the way of any data"
    ),
    "average": Misconception(
        "the average rank counts", "if ranks never had to wait for each other"
    ),
    "both links": Misconception("it slows down twice", "if its two links were used one by one"),
    "only the slow one": Misconception(
        "only it is busy", "if its neighbors did not wait in messages"
    ),
    "one share each": Misconception(
        "each card carries its share only", "if links inside the nodes cost nothing"
    ),
    "link ratio": Misconception("fast links replace slow ones", "if nothing crossed the nodes"),
    "two levels": Misconception("two levels halve the time", "if each level had half of the work"),
    "no faster than the wire": Misconception(
        "nothing is faster than its wire", "of bytes on the wire; busbw counts those of a ring"
    ),
    "always more": Misconception("both directions count", "if busbw counted both directions"),
    "rings gain": Misconception(
        "a ring uses all links at once", "if it sent less than busbw counts"
    ),
    "as in the model": Misconception(
        "trees win small vectors, rings large ones", "if the switches could not add"
    ),
    "turned round": Misconception("it is the other way round", "of the inverse"),
    "switches add": Misconception("the switches add", "of nodes whose switches can add"),
    "two are enough": Misconception("two overlap already", "if both halves were hidden equally"),
}
KNOWN = MISCONCEPTIONS | PREDICTED
