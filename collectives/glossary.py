"""The glossary: each term of pictures and tables in one sentence, and where a text uses them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache

from collectives.collective import COLLECTIVES

TERMS = {
    "rank": "One of the N processes that take part, usually one GPU; it has a number from 0 on, "
    "memory of its own, and gets the data of others only by messages.",
    "vector": "The data that a rank starts with or ends with: a row of numbers, such as gradients.",
    "gradient": "For each weight of a model, how the error changes with it; each GPU computes it "
    "on data of its own.",
    "chunk": "A part of the vector; ranks send whole chunks.",
    "channel": "One of several rings side by side, each with a share of the data.",
    "slot": "The place of a chunk in a rank's memory; mostly slot 2 is that of chunk 2.",
    "cell": "How the picture draws a slot of a rank.",
    "block": "What a rank has for one other rank in an all-to-all.",
    "contribution": "The data that a rank had in a slot at the start; a sum is made of the "
    "contributions of several ranks.",
    "sum": "What a slot holds after data of several ranks has been added there.",
    "partial sum": "A sum that still lacks contributions of some ranks.",
    "transfer": "One chunk that one rank sends to another in one step.",
    "message": "All that one rank sends to another in one step; each costs the latency once.",
    "step": "Transfers that happen at the same time; all read their chunks before any is written.",
    "phase": "Steps that follow one rule, written in one function.",
    "root": "The rank that starts with all of the data, or ends with it.",
    "neighbor": "A rank beside this one on the ring, in the row or on the grid.",
    "partner": "The rank with which a rank exchanges data in this step.",
    "distance": "How far apart two ranks' numbers are, counted round the ring.",
    "parent": "The rank above in a tree; sums go up to it, results come down from it.",
    "child": "A rank below in a tree.",
    "node": "A machine with several GPUs, which are linked by a fast network inside it.",
    "NIC": "The network adapter that links a node to other nodes.",
    "rail": "The GPUs with the same place in every node; their NICs share a switch.",
    "switch": "A device that links several ranks; some add up or copy what passes through them.",
    "server": "A node that holds the sum for all ranks, which send to it and fetch from it.",
    "port": "The end of a link at a rank; it sends one message and receives one at a time.",
    "busiest port": "The port that sends or receives the most bytes; while it works, the "
    "operation cannot end.",
    "link": "A connection over which data goes from one node to another.",
    "latency": "The time that a message takes however short it is; α in formulas.",
    "bandwidth": "Bytes per second over a link; 1/β in formulas.",
    "lower bound": "What no algorithm can beat for this collective and number of ranks.",
    "promise": "What every rank must hold at the end; the recording is checked against it.",
    "ring": "Ranks in a circle; each sends to the next and receives from the one before.",
    "tree": "Ranks below one root; each has one parent, so data needs only about log N steps.",
    "pipeline": "Chunks follow each other through the ranks, so that many ranks work at once.",
    "bubble": "Time in which ranks of a pipeline wait for their first data or have no more.",
    "fold": "To let some ranks hand their data to a partner first, so that a power of two is left.",
    "invariant": "What holds after every step of a phase; it says why the phase is right.",
    "stale": "Data that is no longer needed: its sum has gone on, or the promise does not ask "
    "for it.",
    "idle": "Neither sending nor receiving in this step.",
    "lockstep": "A clock on which a step begins for all ranks at once, when every message of the "
    "step before has arrived.",
    "dataflow": "A clock on which no rank waits for a step to end: a message starts as soon as its "
    "data is there and its ports are free.",
    "shard": "The part of the parameters or gradients that one rank owns.",
    "stage": "The layers of a model that one rank computes; activations go from stage to stage.",
}
"""What each term means, apart from the collectives, which say it themselves."""
PLURALS = {"switch": "switches", "busiest port": "busiest ports", "child": "children"}
LATIN = r"A-Za-z0-9_\u00C0-\u024F\-"  # signs of words that blanks set apart
SAME = {"folds": "fold", "folded": "fold", "neighbour": "neighbor", "α": "latency"}


@cache
def definitions() -> dict[str, str]:
    """All terms with their definitions: those of the field, and every collective by its title."""
    promises = {promise.title: promise.sentence for promise in COLLECTIVES.values()}
    return TERMS | {title: f"{text[0].upper()}{text[1:]}." for title, text in promises.items()}


@cache
def spellings() -> dict[str, str]:
    """Every way a text may spell a term, in small letters, and the term."""
    own = {term.lower(): term for term in definitions()}
    plurals = {PLURALS.get(term, f"{term}s").lower(): term for term in TERMS}
    return own | plurals | SAME


def terms_in(texts: Iterable[str], known: Mapping[str, str] | None = None) -> dict[str, str]:
    """Each spelling of a term that some texts use, in small letters, and the term.

    known: the spellings of another language, and their terms.

    >>> terms_in(["Every rank sends its partial sums to its partner"])
    {'rank': 'rank', 'partial sums': 'partial sum', 'partner': 'partner'}
    """
    known = spellings() if known is None else known
    uses = _uses(frozenset(known))
    words = (use.lower() for text in texts for use in uses.findall(text))
    return {use: known[use] for use in dict.fromkeys(words)}


@cache
def _uses(known: frozenset[str]) -> re.Pattern[str]:
    """Terms in a text, the longest first, as whole words; Chinese has no blanks between these."""
    longest = sorted(sorted(known), key=len, reverse=True)
    uses = "|".join(map(re.escape, longest))
    return re.compile(rf"(?<![{LATIN}])(?:{uses})(?![{LATIN}])", re.IGNORECASE)
