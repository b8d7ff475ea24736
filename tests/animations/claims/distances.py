"""Claims of who is near and who is far, with switches between them."""

from __future__ import annotations

from claims.executed import ROW, again, counts, share


def far_messages_of(played):
    """By step how far each message goes round, how many chunks it has, and what leaves a half."""
    n, steps = played.n, []
    for step in played.steps:
        far = {min((a - b) % n, (b - a) % n) for a, b, *_ in step}
        chunks = {sum(row[0] == rank for row in step) for rank in range(n)}
        out = sum(share(played, row[2]) for row in step if row[0] < n // 2 <= row[1])
        assert len(far) == len(chunks) == 1
        steps.append((*far, *chunks, out))
    return steps


def begins(played, algorithm, far, total=None):
    """Whether the first messages have one chunk and go near or far, and the largest the reverse."""
    steps = far_messages_of(again(played, played.n, algorithm))
    ways, chunks, out = zip(*steps, strict=True)
    grows = list(chunks[:2]) == [1, 2] and sorted(chunks) == list(chunks)
    order = sorted(ways, reverse=far) == list(ways) and ways[0] != ways[-1]
    return grows and order and (total is None or float(f"{float(sum(out)):.4g}") == float(total))


def own_tree(played, chunk=None, row=""):
    """How many ranks have a chunk after each step, each from one rank, the far ones first."""
    steps = range(len(played.steps) + 1)
    for one in range(played.n) if chunk is None else [int(chunk)]:
        have = [sum(bool(played.held(k, rank, one)) for rank in range(played.n)) for k in steps]
        links = [[row[:2] for row in step if row[2] == one] for step in played.steps]
        far = [min((a - b) % played.n, (b - a) % played.n) for step in links for a, b in step]
        heard = sorted(dst for step in links for _, dst in step)
        if heard != sorted({*range(played.n)} - {one}) or far != sorted(far)[::-1]:
            return False
        if row and have != counts(row):
            return False
    return True


def just_outside(played, row=""):
    """In each step rank 0 gets its first missing chunks, from the rank whose own comes first."""
    news, n = [], played.n
    for k, step in enumerate(played.steps):
        came = [(src, chunk) for src, dst, chunk, *_ in step if dst == 0]
        lacks = [chunk for chunk in range(n) if not played.held(k, 0, chunk)]
        outside = next(rank for rank in range(n) if not played.held(k, 0, rank))
        if {src for src, _ in came} != {outside} or sorted(c for _, c in came) != lacks[
            : len(came)
        ]:
            return False
        news.append(len(came))
    return not row or news == counts(row)


def crossing(played, algorithm, row):
    """How many chunks leave the first half of the ranks in each step."""
    other = again(played, played.n, algorithm)
    return [int(out * played.n) for *_, out in far_messages_of(other)] == counts(row)


CLAIMS = {
    r"An older way, Bruck's, begins near, with one chunk, then two\.": (
        lambda played: begins(played, "bruck", far=False)
    ),
    rf"Its largest go farthest: {ROW} chunks pass the top link\.": (
        lambda played, row: begins(played, "bruck", far=False) and crossing(played, "bruck", row)
    ),
    r"PAT begins far, with one chunk each: (\d+) pass the link in every step\.": (
        lambda played, each: (
            begins(played, "pat", far=True)
            and crossing(played, "pat", ", ".join([each] * len(played.steps)))
        )
    ),
    r"Its largest messages mostly stay near: only (\S+) vectors pass\.": (
        lambda played, total: begins(played, "pat", far=True, total=total)
    ),
    rf"In PAT, chunk (\d+) goes far, then near: {ROW} ranks\.": own_tree,
    r"Each of the others comes down its own tree at the same time\.": own_tree,
    r"The owner of the first missing chunk already has the next ones\.": just_outside,
    rf"So each step goes twice as far, and brings {ROW}\.": lambda played, row: (
        just_outside(played, row)
        and all(
            (src - dst) % played.n == 2**k
            for k, step in enumerate(played.steps)
            for src, dst, *_ in step
        )
    ),
}
