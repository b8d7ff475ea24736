"""Claims of what passes the busiest port, and who waits for it."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

from claims.executed import Played, again, block_ways, number, passed, share
from collectives import record
from collectives.structure import TwoTrees


def dealt_and_on(played, root, first, then):
    came = [any(row[1] == int(root) for row in step) for step in played.steps].index(True)
    sent = [sum(row[0] == int(root) for row in step) for step in played.steps]
    parts = [Fraction(sum(part), played.recording.slots) for part in (sent[:came], sent[came:])]
    comes = sum(row[1] == int(root) for step in played.steps for row in step)
    both = [*map(Fraction, (first, then))] == parts
    return both and parts[1] == Fraction(comes, played.recording.slots)


def of_many(played, ranks, own, down_tree):
    many = [again(played, int(ranks), name) for name in (None, "tree")]
    return [f"{max(passed(way)[: way.n]):.4g}" for way in many] == [own, down_tree]


def queue(played, most, others, busiest=1, node=None):
    through = passed(played)
    least = [load for load in through if load < max(through)]
    where = (
        played.n + int(node.split()[1])
        if node and "server" in node
        else node and int(node.split()[1])
    )
    return (
        max(through) == float(most)
        and {*least} == {float(others)}
        and len(through) - len(least) == busiest
        and (where is None or through[where] == max(through))
    )


def in_then_out(played, came, went, both):
    """Whether whole vectors come to the busiest node, and then others leave it."""
    hub = max(range(len(passed(played))), key=passed(played).__getitem__)
    ways = [(row[0] == hub) for step in played.steps for row in step if hub in row[:2]]
    counted = [ways.count(False), ways.count(True)] == [number(came), number(went)]
    alone = played.recording.chunk_count == 1 and max(passed(played)) == int(both) == len(ways)
    return counted and alone and ways == sorted(ways)


def queues(played, nodes, most, others):
    count, noun = nodes.split()
    passes = passed(played)
    busy = [node for node, moved in enumerate(passes) if moved == max(passes)]
    named = noun == "ranks" or min(busy) >= played.n
    return named and queue(played, most, others, int(count))


def longer_queue(played, ranks, most):
    twice = again(played, int(ranks))
    return int(ranks) == 2 * played.n and max(passed(twice)) == float(most) > max(passed(played))


def shared_out(played, servers, parts, most):
    name, given = "sharded_parameter_server", {"servers": int(servers)}
    shards = Played(record("all_reduce", name, ranks=played.n, parameters=given))
    extra, chunks = shards.recording.nodes - played.n, shards.recording.chunk_count
    least = max(passed(shards)) < max(passed(played))
    exact = max(passed(shards)) == float(most) and least
    return exact and (extra, chunks) == (int(servers), int(parts))


def one_way(played):
    """By rank the vectors that leave its port, or that reach it where they go to the root."""
    end, chunks = played.recording.collective.name == "reduce", played.recording.chunk_count
    rows = [row for step in played.steps for row in step]
    return [sum(row[end] == rank for row in rows) / chunks for rank in range(played.n)]


def whole_tree(played):
    """The binary tree where both sides of one are used, else that of doublings: whole vectors."""
    name = played.recording.collective.name
    if isinstance(played.recording.structure, TwoTrees):
        return Played(record(name, "binary-tree", ranks=played.n, chunks=1))
    return again(played, played.n, "tree")


def tree_port(played, most, name):
    tree = whole_tree(played)
    return played.recording.collective.name == name and max(one_way(tree)) == float(most)


def cut_port(played, chunks, most):
    ranks, most = one_way(played), most.split()
    exact = f"{max(ranks):.4g}" == f"{float(most[0]):.4g}"
    return (
        exact
        and most[1] == ("vector" if float(most[0]) == 1 else "vectors")
        and max(ranks) < max(one_way(whole_tree(played)))
        and (int(chunks) == played.recording.chunk_count)
    )


def halves_then_swap(played, rank, times, part, then, most):
    """What the busiest port sends down the tree of its half, and what in the last step."""
    rank, chunks = int(rank), played.recording.chunk_count
    sent = [[row[1] for row in step if row[0] == rank] for step in played.steps]
    down = Counter(dst for step in sent[:-1] for dst in step)
    return (
        [*down.values()] == [Fraction(part) * chunks] * int(times or 1)
        and len(sent[-1]) == Fraction(then) * chunks
        and one_way(played)[rank] == max(one_way(played)) == float(most)
    )


def queued(played, root):
    """Whether all send to a rank where the data is gathered, or added up, there directly."""
    taken = "reduce" in played.recording.collective.name
    flat = Played(record("reduce" if taken else "gather", "flat", ranks=played.n, root=int(root)))
    links = {row[:2] for step in flat.steps for row in step}
    return links == {(rank, int(root)) for rank in range(played.n)} - {(int(root), int(root))}


def out_again(played, out, every):
    """What a rank takes in of a gather, then sends as copies of all of it: counted in chunks."""
    come, go = (
        Played(record(name, "flat", ranks=played.n, count=played.n))
        for name in ("gather", "broadcast")
    )
    taken = sum(come.recording.bytes_received) // come.recording.dtype.itemsize
    left = go.recording.bytes_sent[0] // go.recording.dtype.itemsize
    return number(out) * (played.n - 1) == left and int(every) == taken + left


def sum_out(played, every):
    """A whole vector to one rank from each other one, then one to each."""
    come, go = (
        Played(record(name, "flat", ranks=played.n, root=0)).recording
        for name in ("reduce", "broadcast")
    )
    whole = come.count * come.dtype.itemsize
    return int(every) * whole == come.bytes_received[0] + go.bytes_sent[0]


def queued_turns(played, turns):
    """Each rank sends its blocks by number as soon as a port takes them, in the order they come."""
    rest = [sorted({*range(played.n)} - {src}) for src in range(played.n)]
    queues = {
        dst: [src for src in range(played.n) if rest[src][0] == dst] for dst in range(played.n)
    }
    took = 0
    while any(rest):
        gone = [queue.pop(0) for _, queue in sorted(queues.items()) if queue]
        for src in sorted(gone):
            rest[src].pop(0)
            if rest[src]:
                queues[rest[src][0]].append(src)
        took += 1
    blocks = sum(src != to for src, to in block_ways(played)) == played.n * (played.n - 1)
    return blocks and took == int(turns)


def enough_turns(played, turns):
    """As many steps, in each of which every rank sends to another one, and hears from one."""
    for step in played.steps:
        ends = [*zip(*{(src, dst) for src, dst, *_ in step}, strict=True)]
        if any(sorted(nodes) != [*range(played.n)] for nodes in ends):
            return False
    return number(turns) == len(played.steps)


def idle(played, waiting, ranks):
    """Of all ranks one sends and one takes in."""
    left = number(ranks) - len(["sender", "receiver"])
    return (number(waiting), number(ranks)) == (left, played.n)


def whole_queue(played, waiting, root):
    """Whether each message to the root is a whole vector where the data is added up there."""
    flat = Played(record("reduce", "flat", ranks=played.n, root=int(root)))
    sent = {sum(share(flat, chunk) for chunk, _ in step) for port in flat.ports() for step in port}
    return sent - {0} == {1} and only_the_root(played, waiting, root)


def only_the_root(played, waiting, root):
    """Of all ranks but one, which takes them in, a message waits; it alone has the result."""
    taken = "reduce" in played.recording.collective.name
    flat = Played(record("reduce" if taken else "gather", "flat", ranks=played.n, root=int(root)))
    return number(waiting) == played.n - 1 == sum(len(step) for step in flat.steps)


CLAIMS = {
    r"(\w+) vectors come in, then (\w+) go out: (\d+) in turn through one port\.": in_then_out,
    r"The port of (\w+ \d+) passes (\S+) vectors in turn; others (\S+)\.": (
        lambda played, node, most, others: queue(played, most, others, node=node)
    ),
    r"Each of (\d+ \w+) passes (\S+) vectors in turn; other ports (\S+)\.": queues,
    r"Twice the ranks, a longer queue: (\d+) ranks make it (\S+)\.": longer_queue,
    r"(\S+) vectors pass one port in turn; with (\d+) servers, only (\S+)\.": (
        lambda played, most, servers, less: (
            max(passed(played)) == float(most) and shared_out(played, servers, played.n, less)
        )
    ),
    r"The way out: (\d+) servers each add up 1/(\d+) and send it back\.": (
        lambda played, servers, parts: shared_out(played, servers, parts, 2)
    ),
    r"So no port passes more than (\S+) vectors\.": (
        lambda played, most: max(passed(played)) == float(most)
    ),
    r"Down a tree, a port passes the whole vector up to (\S+) times\.": (
        lambda played, most: tree_port(played, most, "broadcast")
    ),
    r"Up a tree, one port takes in the whole vector (\S+) times\.": (
        lambda played, most: tree_port(played, most, "reduce")
    ),
    r"Cut into (\d+) chunks, no port passes more than (\S+ vectors?)\.": cut_port,
    r"With half on each side, no port passes more than (\S+ vectors?)\.": (
        lambda played, most: cut_port(played, played.recording.chunk_count, most)
    ),
    r"Rank (\d+) sends (?:(\d+) × )?(\S+) down, (\S+) in the swap: (\S+) together\.": (
        halves_then_swap
    ),
    r"Rank (\d+) deals (\S+), then sends (\S+), while as much comes in\.": dealt_and_on,
    r"With (\d+) ranks it is (\S+) vectors; down a tree, (\S+)\.": of_many,
    r"The obvious way: everybody sends to rank (\d+)\.": queued,
    r"Suppose that everybody sends to rank (\d+) first\.": queued,
    r"But (\w+) messages queue at its port, and only rank (\d+) has it all\.": only_the_root,
    r"Then it sends all (\w+) to each: (\d+) chunks pass one port\.": out_again,
    r"Then it sends the sum to each: (\d+) vectors pass one port\.": sum_out,
    r"Whoever has sent goes on; so it takes (\d+) turns\.": queued_turns,
    r"If no two send to the same rank, (\w+) turns are enough\.": enough_turns,
    r"But its port takes one at a time: (\w+) of (\w+) ranks must wait\.": idle,
    r"But (\w+) whole vectors queue at its port: only rank (\d+) has the sum\.": whole_queue,
    r"But its port takes one at a time: (\w+) of (\w+) ranks stand idle\.": idle,
}
PAIRS = {  # of another recording, which the sentence before names
    r"The way out: (\d+) servers .* send it back\. So no port passes more than (\S+) vectors\.": (
        lambda played, servers, most: shared_out(played, servers, servers, most)
    ),
}
