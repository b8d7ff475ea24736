"""What learners predict wrongly, by name, beside the misconceptions that the core knows."""

from __future__ import annotations

from collectives.questions.misconceptions import Misconception

PREDICTED = {
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
