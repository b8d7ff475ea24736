"""Claims of what other algorithms send in as many steps."""

from __future__ import annotations

from claims.executed import MUCH, STEPS, costs, in_all, moves, rival, through


def far_messages(played, nodes):
    """By rank its messages to other nodes."""
    home = {rank: number for number, group in enumerate(nodes) for rank in group}
    links = [link for step in played.steps for link in {row[:2] for row in step}]
    return [
        sum(src == rank and home[src] != home[dst] for src, dst in links)
        for rank in range(played.n)
    ]


def passes(played, name, number, steps):
    other = rival(played, name) if name else played
    return costs(through(other, "message" in number), number, other, steps)


def crosses(played, name, number, steps):
    other = rival(played, name) if name else played
    both = played, rival(played, "two hops"), other
    nodes = next(
        p.recording.structure.members for p in both if hasattr(p.recording.structure, "members")
    )
    return costs(far_messages(other, nodes), number, other, steps)


def no_less(played, number, end, name):
    other = rival(played, name)
    most = max(in_all(played, end))
    return most >= max(in_all(other, end)) and costs([most], number, played, len(played.steps))


def short_of_rank_0(played, number, steps):
    chunks = [row[2] for step in played.steps for row in step if row[0] == 0]
    sent = in_all(played, 0)[0]
    return len(chunks) == len({*chunks}) and costs([sent], number, played, steps)


def swapped_first(played, number, steps):
    groups = played.recording.structure.groups
    home = {rank: number for number, group in enumerate(groups) for rank in group}
    inside = [{home[src] == home[dst] for src, dst, *_ in step} for step in played.steps]
    return inside == [{True}, {False}] and passes(played, "", number, steps)


def root_passes(played, number, steps):
    root = played.recording.root
    own = through(played, messages=True)[root]
    ends = all(root in row[:2] for step in played.steps for row in step)
    return ends and costs([own], number, played, steps)


def straight(played, number, steps):
    return len(played.steps) == 1 and crosses(played, "", number, steps)


def two_hops(played, number, steps, across):
    """Whether one step of two crosses nodes and the other stays inside."""
    nodes = played.recording.structure.members
    home = {rank: number for number, group in enumerate(nodes) for rank in group}
    far = [{home[row[0]] != home[row[1]] for row in step} for step in played.steps]
    own = crosses(played, "", number, steps)
    return own and len(far) == 2 and far[1 - across] == {False} and True in far[across]


CLAIMS = {
    rf"With (.+), a port sends {MUCH} in {STEPS}\.": (lambda *claim: moves(*claim, 0)),
    rf"With (.+), a port takes in {MUCH} in {STEPS}\.": (lambda *claim: moves(*claim, 1)),
    rf"With (.+), the busiest port passes {MUCH} in {STEPS}\.": passes,
    rf"With (.+), a rank sends up to {MUCH} to other nodes in {STEPS}\.": crosses,
    rf"But a port takes in no less: {MUCH}\.": (
        lambda played, much: no_less(
            played, much, 1, "a ring" if played.recording.chunk_count > 1 else "all sending to all"
        )
    ),
    rf"But a port sends no less: {MUCH}\.": (
        lambda played, much: no_less(played, much, 0, "a ring")
    ),
    rf"Here only {STEPS}, but the busiest port passes {MUCH}\.": (
        lambda played, steps, much: (
            passes(played, "", much, steps)
            and len(rival(played, "a ring").steps) > int(steps)
            and max(through(rival(played, "a ring"))) < max(through(played))
        )
    ),
    rf"Here rank 0 sends each chunk once: {MUCH}, in {STEPS}\.": short_of_rank_0,
    rf"Here ranks of a node swap first: {MUCH} a port, in {STEPS}\.": swapped_first,
    rf"Here the root passes everything: {MUCH}, in {STEPS}\.": root_passes,
    rf"Here everything goes straight: up to {MUCH} to other nodes, in {STEPS}\.": straight,
    rf"Here tokens cross once, then are copied: up to {MUCH}, in {STEPS}\.": (
        lambda *claim: two_hops(*claim, 0)
    ),
    rf"Here results are added first, then cross: up to {MUCH}, in {STEPS}\.": (
        lambda *claim: two_hops(*claim, 1)
    ),
}
