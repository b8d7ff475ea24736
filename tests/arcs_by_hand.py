"""Rows with arcs, as textbooks draw them: how far apart partners are in each step."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import pairwise

import numpy as np
from shapes_by_hand import executed, from_root

from collectives import structure as kinds
from collectives.algorithms import half_fold, pat
from collectives.algorithms.bruck import bruck_all_gather
from collectives.algorithms.circulant import halvings
from collectives.algorithms.doubling import fold
from collectives.catalog.parameters import Setting
from collectives.catalog.structures import nodes

Distances = Iterable[Iterable[int]]  # of each step
Stated = Callable[[Setting], "kinds.Cube"]
Hops = Callable[[Setting], Distances]


def powers(setting: Setting) -> Distances:
    """Distances 1, 2, 4, … below the number of ranks.

    >>> powers(Setting(6))
    [(1,), (2,), (4,)]
    """
    return [(1 << k,) for k in range((setting.ranks - 1).bit_length())]


def all_ranks(*parts: Hops, circular: bool = True) -> Stated:
    """A row of all ranks from the root on, over these distances one part after another."""

    def stated(setting: Setting) -> kinds.Cube:
        n = setting.ranks
        steps = [step for hops in parts for step in hops(setting)]
        if circular:
            steps = [{min(hop % n, -hop % n) for hop in step} for step in steps]
        return kinds.Cube(
            from_root(setting), tuple(tuple(sorted(step)) for step in steps), (), circular
        )

    return stated


def folded(
    *parts: Hops,
    tail: bool = False,
    halves: bool = False,
    returns: bool = True,
    circular: bool = False,
) -> Stated:
    """A row of the largest power of two; the other ranks fold into it.

    tail: the last ranks fold into the first ones, else one of two neighbors into the other, but
    never the root. halves: the odd one into the even one, in two steps. returns: they get the
    result back.
    """

    def stated(setting: Setting) -> kinds.Cube:
        n, power = setting.ranks, 1 << setting.ranks.bit_length() - 1
        away, team = fold(n, -1 if returns else setting.root)
        stand_in = away ^ 1
        if tail:
            away, team, stand_in = np.arange(power, n), np.arange(power), np.arange(n - power)
        if halves:
            away, stand_in = stand_in, away
            team = np.delete(np.arange(n), away)
        steps = all_ranks(*parts, circular=circular)(Setting(power)).distances
        aside: tuple[tuple[int, ...], ...] = ((),) * (n > power)
        pairs = tuple(zip(away.tolist(), stand_in.tolist(), strict=True))
        return kinds.Cube(
            nodes(team), aside * (1 + halves) + steps + aside * returns, pairs, circular
        )

    return stated


def back(hops: Hops) -> Hops:
    """The same distances, the last step first."""
    return lambda setting: list(hops(setting))[::-1]


def rounded_halves(setting: Setting) -> Distances:
    """Half of the ranks, half of these, and so on, rounded up."""
    return [(keep,) for _, keep in pairwise(halvings(setting.ranks))]


def neighbors(setting: Setting) -> Distances:
    """Neighbors in every step."""
    return [(1,)] * (setting.ranks // 2)


def pat_hops(setting: Setting) -> Distances:
    """The hops of PAT's trees, in the order of the all-gather."""
    n = setting.ranks
    gap = pat.spread(n, setting["aggregation"])
    positions = pat.powers(n, gap) + pat.depth_first(gap)
    return [(place & -place,) for place in positions if place < n]


def pat_sums(setting: Setting) -> Distances:
    """The same of the reduce-scatter, in which a place comes after all that are below it."""
    n = setting.ranks
    gap = pat.spread(n, setting["aggregation"])
    positions = [*range(gap - 1, 0, -1), *pat.powers(n, gap)[::-1]]
    return [(place & -place,) for place in positions if place < n]


def swings(setting: Setting) -> Distances:
    """Distances 1, 1, 3, 5, 11, … in as many steps as reach all ranks."""
    n = setting.ranks
    return [(abs(1 - (-2) ** (k + 1)) // 3 % n,) for k in range((n - 1).bit_length())]


def digits(setting: Setting) -> Distances:
    """One digit of a rank's number in each step, the lowest first."""
    base, place, found = setting["base"], 1, []
    while place < setting.ranks:
        found.append([digit * place for digit in range(1, base)])
        place *= base
    return found


def radix_hops(setting: Setting) -> Distances:
    """Distances with one digit that is not 0, the lowest first.

    >>> radix_hops(Setting(8, parameters={"radix": 3}))
    [[1, 2], [3, 6]]
    """
    radix, place, found = setting["radix"], 1, []
    while place < setting.ranks:
        found.append([k * place for k in range(1, radix) if k * place < setting.ranks])
        place *= radix
    return found


def bruck(setting: Setting) -> kinds.Structure:
    """A row of all ranks, in a single step without ends; loose where 6 of 8 to the right are 2."""
    n, hops = setting.ranks, radix_hops(setting)
    if setting["radix"] >= n > 3:
        return kinds.Cube(from_root(setting), (tuple(range(1, n)),))
    for step in hops:
        apart = sorted({min(hop, n - hop) for hop in step})
        if apart != [(k + 1) * apart[0] for k in range(len(apart))]:
            return executed(bruck_all_gather(n, setting["radix"]))
    return all_ranks(radix_hops)(setting)


def threes(setting: Setting) -> Distances:
    """Distances 1, 3, 9, …; the last is half of what is missing then, rounded up.

    >>> threes(Setting(12))
    [(1,), (3,), (2,)]
    """
    reached = [3**k for k in range(8) if 3**k < setting.ranks]
    return [(min(far, (setting.ranks - far + 1) // 2),) for far in reached]


def folded_threes(setting: Setting) -> kinds.Cube:
    """A row of the largest power of three, spread over the ranks; the others fold leftwards.

    A row of three has no ends, so that all are near each other; two ranks are a row of their own.
    """
    n = setting.ranks
    if n == 2:
        return kinds.Cube((0, 1), ((1,), (1,)))
    power = max(3**k for k in range(8) if 3**k <= n)
    row = tuple(place * n // power for place in range(power))
    aside = tuple((r, max(t for t in row if t <= r)) for r in range(n) if r not in row)
    steps = ((1, 2),) if power == 3 else tuple((3**k,) for k in range(8) if 3**k < power)
    ends = ((),) * bool(aside)
    return kinds.Cube(row, (*ends, *steps, *ends), aside, circular=power > 3)


def half_fold_reduce(setting: Setting) -> kinds.Structure:
    """A row of the largest power of two, unless a rank that folds takes a place in it as root."""
    n, root = setting.ranks, setting.root
    if root % 2 and root < 2 * n - (2 << n.bit_length() - 1):
        if n == 3:
            return kinds.Cube((0, 1, 2), ((1,), (1,), (2,), (1,), (1,)))
        return executed(half_fold.half_fold_reduce(n, root))
    return folded(powers, back(powers), halves=True, returns=False)(Setting(n, root=-1))


def every_distance(setting: Setting) -> Distances:
    """Distances 1 to N - 1."""
    return [(hop,) for hop in range(1, setting.ranks)]


def census(setting: Setting) -> Distances:
    """The length of the run that each step sums up, from the digits of N - 1."""
    run, found = 0, []
    for digit in f"{setting.ranks - 1:b}".lstrip("0"):
        found.append((run + int(digit),))
        run += run + int(digit)
    return found
