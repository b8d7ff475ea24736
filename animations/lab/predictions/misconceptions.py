"""What learners predict wrongly, by name, beside the misconceptions that the core knows."""

from __future__ import annotations

from collectives.questions.misconceptions import Misconception

PREDICTED = {
    "one lap": Misconception(
        "one lap round the ring is enough", "That is the count for one lap; there are two."
    ),
    "doubling": Misconception(
        "data can reach twice as many ranks in each step",
        "That would be right if every rank that has data sent it to a new rank in each step.",
    ),
    "twice as many bytes": Misconception(
        "twice the ranks send twice the bytes",
        "Twice the ranks do not make a rank send twice the bytes.",
    ),
    "shared bytes": Misconception(
        "twice the ranks share the bytes", "Twice the ranks do not halve what a rank sends."
    ),
    "scale-free bytes": Misconception(
        "what a rank sends does not depend on the number of ranks",
        "Here what a rank sends depends on the number of ranks.",
    ),
    "next rank's chunk": Misconception(
        "the sum ends one rank before its number",
        "That would be right if each chunk started one rank earlier.",
    ),
    "left neighbor's chunk": Misconception(
        "the chunk that came first is done first",
        "That would be right if each chunk started one rank later.",
    ),
    "nothing before the end": Misconception(
        "sums are complete only at the end",
        "The second half of the steps adds nothing: it passes on complete sums.",
    ),
    "only the root sends": Misconception(
        "the root sends to every other rank itself",
        "That would be right if no other rank helped the root.",
    ),
    "half": Misconception(
        "each step serves two ranks",
        "That would be right if each step reached no more than two ranks.",
    ),
    "all at work at last": Misconception(
        "in the last step everybody sends",
        "That would need a rank without the data for every rank that sends.",
    ),
    "one for each step": Misconception(
        "each step adds one sender", "That would be right if each step added only one sender."
    ),
    "a single step": Misconception(
        "it sends its data once", "That would be right if it sent in one step only."
    ),
    "one way": Misconception(
        "one way through the tree is enough",
        "That is the count for one way through the tree; there are two.",
    ),
    "like a ring": Misconception(
        "it goes round the ranks as in a ring", "That is the number for a ring."
    ),
    "rounded down": Misconception(
        "the next lower power of two counts", "That is the count for the next lower power of two."
    ),
    "shared work": Misconception(
        "the ranks share the work",
        "That would be right for a ring, where all ranks send the same amount.",
    ),
    "first receiver": Misconception(
        "the root passes its work on to the first receiver",
        "The root sends in every step, the first receiver in one step fewer.",
    ),
    "one message": Misconception(
        "latency and bytes of one message decide",
        "That would be right for a single message; here all steps count.",
    ),
    "each chunk a message": Misconception(
        "each rank's chunk must take as long as the latency",
        "That would be right if a tree sent no more bytes than a ring.",
    ),
    "smaller on more ranks": Misconception(
        "more ranks send smaller chunks",
        "That would be right if the ring took no more steps on more ranks.",
    ),
    "better on more ranks": Misconception(
        "a ring gets better on more ranks", "The ring takes more steps on more ranks."
    ),
    "worse on more ranks": Misconception(
        "a ring gets worse on more ranks",
        "That would be right if more ranks added steps to the ring and none to the tree.",
    ),
    "a constant": Misconception(
        "it depends on latency and bandwidth alone",
        "That would be right if the number of steps did not depend on the number of ranks.",
    ),
    "fewest steps win": Misconception(
        "the fewest steps are best for small vectors",
        "That would be right if the tree branched everywhere.",
    ),
    "trees inside": Misconception(
        "trees are for fast links", "That would be right if the tree branched inside a node."
    ),
    "rings everywhere": Misconception(
        "NCCL is known for rings", "That would be right if no tree took fewer hops."
    ),
    "rings inside": Misconception(
        "rings are for fast links", "That would be right if the tree were a chain inside a node."
    ),
    "both times": Misconception(
        "both parts add up", "At that size the transfer takes twice the latency."
    ),
    "half the time": Misconception(
        "each has half of it", "At that size the transfer takes half the latency."
    ),
    "bandwidth": Misconception(
        "it is the number of the bandwidth", "That is the bandwidth in GB/s, not a size."
    ),
    "units": Misconception(
        "the units differ by a thousand", "That is off by a factor of a thousand."
    ),
    "more steps, more bytes": Misconception(
        "more steps send more bytes",
        "That would be right if the messages of both had the same size.",
    ),
    "the same sum": Misconception(
        "both compute the same sum",
        "That would be right if both cut the vector into the same chunks.",
    ),
    "proportional": Misconception(
        "it is in proportion", "That would be right if only one factor doubled."
    ),
    "cubed": Misconception("several factors multiply", "That counts one factor too many."),
    "more is better": Misconception(
        "more parts overlap better", "That would be right if latency cost nothing."
    ),
    "fewest messages": Misconception(
        "fewer messages cost less latency", "That would be right if nothing could overlap."
    ),
    "one for each rank": Misconception(
        "each rank needs a chunk", "That is the number for a ring all-reduce."
    ),
    "in the middle": Misconception(
        "the best is in the middle", "That would be right for another latency or another size."
    ),
    "all wait": Misconception(
        "all ranks depend on one another",
        "That would be right if every rank depended on this one in the same way.",
    ),
    "data is a barrier": Misconception(
        "ranks wait for data, and it is late",
        "That would be right if other ranks needed its data; it is the last of the chain.",
    ),
    "only a barrier waits": Misconception(
        "only barriers wait", "That would be right if no rank needed its data."
    ),
    "late is harmless": Misconception(
        "it makes no difference", "That would be right if no data depended on what has changed."
    ),
    "both links": Misconception(
        "it slows down twice", "That would be right if its two links worked one after the other."
    ),
    "only the slow one": Misconception(
        "only the slow rank is busy",
        "That would be right if its neighbors did not wait in the middle of a message.",
    ),
    "one share each": Misconception(
        "each card carries only its share",
        "That would be right if the links inside the nodes cost nothing.",
    ),
    "link ratio": Misconception(
        "fast links replace slow ones", "That would be right if no data left the nodes."
    ),
    "two levels": Misconception(
        "two levels halve the time", "That would be right if each level did half of the work."
    ),
    "no faster than the wire": Misconception(
        "nothing is faster than its wire",
        "The wire limits the bytes that it carries; busbw counts the bytes that a ring would send.",
    ),
    "always more": Misconception(
        "both directions count", "That would be right if busbw counted both directions."
    ),
    "rings gain": Misconception(
        "a ring uses all links at once",
        "That would be right if a ring sent less than busbw counts.",
    ),
    "as in the model": Misconception(
        "trees win for small vectors, rings for large ones",
        "That would be right if the switches could not add.",
    ),
    "turned round": Misconception("it is the other way round", "You have it the wrong way round."),
    "switches add": Misconception(
        "the switches add", "That would be right for nodes whose switches can add."
    ),
    "no gain": Misconception(
        "both send the same bytes over the same links",
        "Between nodes a card carries fewer bytes if its node adds first.",
    ),
    "product": Misconception(
        "the GPUs of a node count on both sides", "The GPUs of a node count once, not twice."
    ),
    "last rank": Misconception(
        "the data ends there", "A rank that only receives at the end sends nothing."
    ),
    "same factor": Misconception(
        "the time depends on the number of gradients alone",
        "It depends on the bytes of a gradient and on the algorithm, too.",
    ),
    "twice": Misconception(
        "a change of this kind doubles the time", "The ratio of both times is not two."
    ),
    "four times": Misconception(
        "both the bytes and the steps double", "Only one of the two is doubled."
    ),
    "faster": Misconception(
        "it makes the all-reduce shorter", "It makes the all-reduce longer, not shorter."
    ),
    "ring like hierarchical": Misconception(
        "both scale in the same way", "One of the two sends fewer bytes between nodes."
    ),
    "ring ahead": Misconception(
        "the ring scales further", "On many nodes the ring sends more bytes through each card."
    ),
    "root counted": Misconception(
        "every rank takes one step", "The root has the data from the start and takes no step."
    ),
    "two are enough": Misconception(
        "two buckets overlap already",
        "That would be right if both halves could be hidden equally well.",
    ),
}
