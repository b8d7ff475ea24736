"""What the lecture on trees lets its readers predict."""

from __future__ import annotations

from animations.lab.predictions.predicted import amount, choose, is_of, multiple, vectors
from collectives.catalog import find_row
from collectives.cost.choose.crossover import closed_crossings, law
from collectives.questions.question import Question
from collectives.recording.recorder import record
from collectives.recording.recording import Recording
from collectives.units import size_text
from collectives.words import plural


def broadcast(recording: Recording) -> list[Question]:
    """Steps and bytes of the root, asked before the picture, which would show them."""
    ranks, steps, root = recording.ranks, len(recording.steps), recording.root
    if not is_of(recording, "broadcast", "tree"):
        return []
    sent = vectors(recording, recording.bytes_sent[root])
    return [
        *amount(
            "How many steps does it take if every rank that has the data helps?",
            f"on {plural(ranks, 'rank')}; a rank sends to one other rank at a time",
            steps,
            "step",
            [(ranks - 1, "only the root sends"), (ranks // 2, "half")],
            "a rank that has the data sends it on while the root goes on sending",
            "How many ranks have the data after each step?",
            f"the ranks that have the data: {_doubling(ranks)}, in {steps} steps",
        ),
        *multiple(
            "How many bytes does the root send in all?",
            "as a multiple of the size S of the data",
            float(sent),
            [
                (1.0, "a single step"),
                (ranks - 1, "only the root sends"),
                (float(steps + 1), "one step too many"),
            ],
            "it sends in every step, and each time it sends all its data",
            "In which steps does the root send, and how much each time?",
            explanation=f"{steps} steps × S",
        ),
    ]


def _doubling(ranks: int) -> str:
    """Ranks that have the data after each step of a tree: 1 → 2 → 4 → 6."""
    powers = [1 << step for step in range((ranks - 1).bit_length())]
    return " → ".join(map(str, [*powers, ranks]))


def last_senders(recording: Recording) -> list[Question]:
    """How many ranks send in the last step."""
    ranks, steps = recording.ranks, len(recording.steps)
    if not is_of(recording, "broadcast", "tree"):
        return []
    missing = len(set(recording.steps[-1].dst.tolist()))
    return amount(
        "How many ranks send in the last step?",
        f"of {plural(ranks, 'rank')}",
        len(set(recording.steps[-1].src.tolist())),
        "rank",
        [
            (ranks // 2, "half"),
            (1, "only the root sends"),
            (ranks - 1, "all at work at last"),
            (steps, "one for each step"),
        ],
        "these ranks have the data before the last step, and others still need it",
        "Which ranks have the data before the last step, and which do not?",
        f"{ranks - missing} ranks have the data, {missing} lack it: each sender serves one",
        before=steps,
    )


def up_and_down(recording: Recording) -> list[Question]:
    """Steps and bytes of an all-reduce that goes up a tree, and down again."""
    ranks, steps = recording.ranks, len(recording.steps)
    if not is_of(recording, "all_reduce", "tree"):
        return []
    sent = vectors(recording, max(recording.bytes_sent))
    return [
        *amount(
            "How many steps does this all-reduce take?",
            f"on {plural(ranks, 'rank')}",
            steps,
            "step",
            [
                ((ranks - 1).bit_length(), "one way"),
                (2 * (ranks - 1), "like a ring"),
                (steps + 1, "one step too many"),
                (steps - 1, "one step too few"),
            ],
            "the sums need as many steps up the tree as the result needs down",
            "How many steps does a broadcast on this tree take?",
            f"{steps // 2} steps up + {steps // 2} steps down = {steps}",
        ),
        *multiple(
            "How many bytes does the busiest rank send?",
            "as a multiple of the size S of the vector",
            float(sent),
            [
                (float(steps), "whole vector each step"),
                (2 * (ranks - 1) / ranks, "like a ring"),
                (1.0, "a single step"),
                (float(ranks - 1), "only the root sends"),
            ],
            "no rank sends in every step; the root, for example, only receives on the way up",
            "On the way up the root only receives.",
            explanation=f"{recording.counters.messages_sent.max()} messages × S",
        ),
    ]


def tree_and_chain(ranks: int) -> list[Question]:
    """Steps of a broadcast on many ranks: on a tree, and from neighbor to neighbor."""
    tree = len(record("broadcast", "tree", ranks=ranks).steps)
    chain = len(record("broadcast", "ring", ranks=ranks, chunks=1).steps)
    wrong = [
        (ranks - 1, "only the root sends"),
        (ranks // 2, "half"),
        (tree - 1, "rounded down"),
        (tree + 1, "one step too many"),
    ]
    return [
        *amount(
            f"How many steps does a tree take on {plural(ranks, 'rank')}?",
            "a broadcast",
            tree,
            "step",
            wrong,
            "the number of ranks that have the data at most doubles in each step",
            "1, 2, 4, 8 …: after how many steps is this enough?",
            f"after {tree - 1} steps {2 ** (tree - 1):,} ranks have the data, after {tree} all",
        ),
        *amount(
            f"And how many steps does a chain take on {plural(ranks, 'rank')}?",
            "a broadcast from neighbor to neighbor, with all of the data in one chunk",
            chain,
            "step",
            [(ranks, "root counted"), (ranks // 2, "half"), (tree, "doubling")],
            "each step brings the data to one more rank, and the root has it from the start",
            "How many ranks do not have the data at the start?",
            f"{ranks:,} ranks - 1 root = {chain:,} steps",
        ),
    ]


def busiest(ranks: int) -> list[Question]:
    """Which rank of a tree sends most, and how that grows."""
    now, twice = (record("broadcast", "tree", ranks=n) for n in (ranks, 2 * ranks))
    largest = max(now.bytes_sent)
    first = now.bytes_sent.index(largest)
    receiver = int(now.steps[0].dst[0])
    wrong = [
        (f"rank {ranks - 1}", ranks - 1, "last rank"),
        ("all the same", -1, "shared work"),
        (f"rank {receiver}", receiver, "first receiver"),
    ]
    sent, right = (
        float(vectors(recording, max(recording.bytes_sent))) for recording in (now, twice)
    )
    second = float(vectors(now, now.bytes_sent[receiver]))
    return [
        *choose(
            f"Which rank of {ranks} sends the most bytes?",
            "a broadcast on a tree; rank 0 is its root",
            (f"rank {first}", first),
            wrong,
            "it has the data first, so it sends in more steps than any other rank",
            "Which rank can send from the first step on?",
            explanation=f"rank {first} sends {sent:g} S, rank {receiver} only {second:g} S",
        ),
        *multiple(
            f"How many bytes does the busiest of {2 * ranks} ranks send?",
            f"as a multiple of the size S of the data; with {ranks} ranks it is {sent:g} S",
            right,
            [
                (2 * sent, "twice as many bytes"),
                (sent, "scale-free bytes"),
                (sent / 2, "shared bytes"),
                (2.0 * ranks - 1, "only the root sends"),
            ],
            "twice the ranks take one more step, in which it sends everything once more",
            "How many more steps does the tree take?",
            explanation=f"{len(twice.steps)} steps × S",
        ),
    ]


def wins_from(ranks: int, alpha: float, beta: float) -> list[Question]:
    """From which size on a ring beats a tree, and how that size depends on the ranks."""
    now, twice = (_crossing(n, alpha, beta) for n in (ranks, 2 * ranks))
    if not 0 < now < twice:
        return []  # one of them always wins
    guessed = [
        (alpha / beta, "one message"),
        (ranks * alpha / beta, "each chunk a message"),
        (alpha / beta / ranks, "smaller on more ranks"),
        (now * ranks, "each chunk a message"),
    ]
    texts = [
        (_about(value), _about(value), name)
        for value, name in guessed
        if abs(value - now) > now / 10
    ]
    return [
        *choose(
            f"Above what size does a ring of {ranks} ranks beat a tree?",
            f"α is {1e6 * alpha:.4g} µs, β is {1e9 * beta:.4g} ns for each byte",
            (_about(now), _about(now)),
            texts,
            "at that size the ring's extra steps cost as much as the tree's extra bytes",
            "How many more steps does the ring take, and how many fewer vectors does it send?",
        ),
        *choose(
            "When the number of ranks doubles, what happens to this size?",
            f"from {ranks} to {2 * ranks} ranks",
            ("it grows", 1),
            [("it stays the same", 0, "a constant"), ("it shrinks", -1, "better on more ranks")],
            "twice the ranks double the steps of a ring and hardly add steps to a tree",
            "Which of the two gets more steps, and how many?",
        ),
    ]


def _about(size: float) -> str:
    return f"about {size_text(size, 2, binary=False)}"


def _crossing(ranks: int, alpha: float, beta: float) -> float:
    """The size from which on a ring is faster than a tree; 0 where there is none."""
    laws = [law(find_row("all_reduce", name), ranks) for name in ("tree", "ring")]
    return max(closed_crossings(laws[0], laws[1], alpha, 1 / beta), default=0)
