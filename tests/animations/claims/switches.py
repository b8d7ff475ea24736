"""Claims of sums and copies that are made in switches."""

from __future__ import annotations

from fractions import Fraction

from claims.executed import MUCH, STEPS, again, in_all, moves, number, share


def met_in_switch(played):
    """Each rank sends each chunk up once with its own data; sums are made in switches."""
    inner = [
        (src, chunk)
        for k, step in enumerate(played.steps)
        for src, _, chunk, *_ in step
        if src < played.n and played.held(k, src, chunk) == {src}
    ]
    adds = {dst for step in played.steps for _, dst, _, _, adds in step if adds}
    return len(inner) == len({*inner}) == played.n * played.recording.chunk_count and all(
        dst >= played.n for dst in adds
    )


def finished_again(played, part):
    """Each rank sends so much up that is finished, of a part that no other rank sends."""
    every, sent = frozenset(range(played.n)), {}
    for rank in range(played.n):
        for step, out in enumerate(played.ports()[rank]):
            for chunk, _ in (row for row in out if row[1] == every):
                assert played.held(step, rank, chunk) == every
                sent.setdefault(rank, []).append(chunk)
    chunks = [chunk for mine in sent.values() for chunk in mine]
    parts = {sum(share(played, chunk) for chunk in mine) for mine in sent.values()}
    return len(chunks) == len({*chunks}) and parts == {Fraction(part)} and len(sent) == played.n


def came_down(played):
    """Whether ranks get finished sums only."""
    got = {
        len(played.held(k, src, chunk))
        for k, step in enumerate(played.steps)
        for src, dst, chunk, *_ in step
        if dst < played.n
    }
    return got == {played.n}


def two_shot_pieces(played, pieces, alone=None):
    """Without sums in switches each rank gets so many pieces of its chunk, then sends its sum."""
    direct = again(played, played.n, "two-shot")
    got = [sum(row[1] == 0 for row in step) for step in direct.steps]
    moved = in_all(direct, 0)
    told = alone is None or {f"{float(m):.4g}" for m in moved} == {alone}
    return got == [number(pieces)] * 2 and told


def vectors(played, port, alone):
    busiest = played.recording.bytes_busiest_port / (
        played.recording.count * played.recording.dtype.itemsize
    )
    bound = 2 * (played.n - 1) / played.n
    return (float(port), float(alone)) == (float(f"{busiest:.4g}"), float(f"{bound:.4g}"))


def levels_passed(played, steps):
    """As many steps from the start of the first chunk until it is wherever it must be."""
    first = [k for k, step in enumerate(played.steps) if any(row[2] == 0 for row in step)]
    return first == [*range(number(steps))]


def switch_adds(played):
    """Whether sums are made nowhere but in switches, and ranks get finished ones."""
    adds = {dst for step in played.steps for _, dst, _, _, adds in step if adds}
    return min(adds) >= played.n and came_down(played)


def copies(played, number, steps):
    """Whether all data comes out of switches, and each rank sends what it has once."""
    sources = {src for step in played.steps for src, dst, *_ in step if dst < played.n}
    alike = len({*in_all(played, 0)}) == 1
    return min(sources) >= played.n and alike and moves(played, "", number, steps, 0)


CLAIMS = {
    r"If the switch only forwards, every rank collects (\w+) pieces to add\.": two_shot_pieces,
    r"Then its sum goes to (\w+) others: (\S+) vectors each way\.": two_shot_pieces,
    r"Now each sends its vector once, and pieces are added where they meet\.": met_in_switch,
    r"Switches add on reads and copy on writes: so (\S+) goes up again\.": (
        lambda played, part: (
            finished_again(played, part)
            and {*in_all(played, 0)[: played.n]} == {1 + Fraction(part)}
        )
    ),
    r"Cut fine, sums come down meanwhile: each way (\S+) instead of (\S+)\.": (
        lambda played, *parts: came_down(played) and vectors(played, *parts)
    ),
    r"The first chunk passes all levels in (\w+) steps\.": levels_passed,
    rf"Here the switch copies: each port sends {MUCH}, in {STEPS}\.": copies,
    rf"Here the switch adds: each port takes in {MUCH}, in {STEPS}\.": (
        lambda played, *much: switch_adds(played) and moves(played, "", *much, 1)
    ),
}
