"""Runs programs that put in a random order, by the rules alone: what is on its way comes any time.

It shares no code with the package but the operations themselves. Every slot holds a set of
contributions; the outcome is what each rank holds when its program ends.
"""

import random
from dataclasses import replace

from collectives.schedule.spmd import Add, Copy, Fence, Put, Quiet, Signal, WaitSignal


class Stuck(Exception):  # noqa: N818
    """No rank can go on, and nothing is on its way."""


class Run:
    def __init__(self, programs, seed):
        self.programs, self.random = programs, random.Random(seed)
        self.memory, self.haste = {}, (0.02, 0.3, 1)[seed % 3]
        self.at, self.ends = [0] * len(programs), {}
        self.ways = []  # of each (rank, to): what is on its way, in parts between fences
        self.flying = []  # (rank, to, part, operation)
        self.part = {}
        self.signals, self.heard = {}, {}

    def value(self, rank, slot):
        return self.memory.get((rank, slot), frozenset({(rank, slot)}))

    def outcome(self):
        while True:
            moves = [("rank", r) for r in range(len(self.programs)) if self.can(r)]
            landing = [("land", k) for k in range(len(self.flying)) if self.may_land(k)]
            if not moves or self.random.random() < self.haste:
                moves += landing
            if not moves:
                break
            kind, which = self.random.choice(moves)
            self.land(which) if kind == "land" else self.go(which)
        if len(self.ends) < len(self.programs):
            raise Stuck
        return self.ends

    def can(self, rank):
        if rank in self.ends:
            return False
        if self.at[rank] == len(self.programs[rank]):
            return True
        operation = self.programs[rank][self.at[rank]]
        if isinstance(operation, Quiet):
            return all(flying[0] != rank for flying in self.flying)
        if isinstance(operation, WaitSignal):
            channel = operation.source, rank, operation.signal
            wanted = self.heard.get(channel, 0) + operation.count
            return self.signals.get(channel, 0) >= wanted
        return True

    def may_land(self, k):
        rank, to, part, _ = self.flying[k]
        return all(f[:2] != (rank, to) or f[2] >= part for f in self.flying)

    def land(self, k):
        rank, to, _, operation = self.flying.pop(k)
        if isinstance(operation, Put):
            moved = [self.value(rank, operation.chunk + i) for i in range(operation.count)]
            for i, value in enumerate(moved):
                self.memory[to, operation.target + i] = value
        if operation.signal is not None:
            channel = rank, to, operation.signal
            self.signals[channel] = self.signals.get(channel, 0) + 1

    def go(self, rank):
        if self.at[rank] == len(self.programs[rank]):
            slots = sorted({slot for r, slot in self.memory if r == rank})
            self.ends[rank] = {slot: self.value(rank, slot) for slot in slots}
            return
        operation = self.programs[rank][self.at[rank]]
        self.at[rank] += 1
        if isinstance(operation, Put | Signal):
            part = self.part.get((rank, operation.to), 0)
            self.flying.append((rank, operation.to, part, operation))
        elif isinstance(operation, Fence):
            for to in range(len(self.programs)):
                self.part[rank, to] = self.part.get((rank, to), 0) + 1
        elif isinstance(operation, WaitSignal):
            channel = operation.source, rank, operation.signal
            self.heard[channel] = self.heard.get(channel, 0) + operation.count
        elif isinstance(operation, Copy):
            value = self.value(rank, operation.chunk)
            if isinstance(operation, Add):
                value |= self.value(rank, operation.into)
            self.memory[rank, operation.into] = value


def outcomes(programs, seeds):
    """What programs end with in so many orders; None where they are stuck."""
    found = []
    for seed in range(seeds):
        try:
            outcome = Run(programs, seed).outcome()
        except Stuck:
            outcome = None
        if outcome not in found:
            found.append(outcome)
    return found


def broken(programs):
    """The same programs without one operation, or without the signal of one put, on all ranks."""
    longest = max(map(len, programs))
    for at in range(longest):
        yield at, "gone", [p[:at] + p[at + 1 :] for p in programs]
        alike = [p[at] for p in programs if at < len(p)]
        if all(isinstance(one, Put) and one.signal is not None for one in alike):
            apart = [
                [*p[:at], replace(p[at], signal=None), Signal(p[at].to, p[at].signal), *p[at + 1 :]]
                for p in programs
            ]
            yield at, "apart", apart
            same = [[*p[:at], replace(p[at], signal=0), *p[at + 1 :]] for p in programs]
            yield at, "signal 0", same
