"""The player of one process: carries out a rank's part of a plan, and notes when.

Each process of a launch runs this file: PYTHON player.py FOLDER BACKEND. It needs neither this
package nor its Python: numpy, and mpi4py or torch. `plan` writes FOLDER/plan.json.
"""

from __future__ import annotations

import json
import os
import socket
import sys
import time
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

OPERATORS = {
    "sum": np.add, "prod": np.multiply, "min": np.minimum, "max": np.maximum, "avg": np.add,
}  # fmt: skip
WARM_UP = 2  # runs that are not noted
PING_SIZES = (8, 1 << 10, 1 << 13, 1 << 16, 1 << 19, 1 << 22)  # bytes
PINGS = 12  # there and back, for each size
CLOCK_PINGS = 20  # with the process whose clock is compared
MOST_PAIRS = 16  # of processes that are measured, one after the other
# The columns of a process on the board, which the launcher reads while it runs.
PID, PHASE, RUN, STEP, PEER, BEAT, PROGRESS, BOARD = range(8)
PHASES = (
    "while it started",
    "",
    "comparing clocks",
    "in the library's own collective",
    "measuring",
    "while it ended, with everything done",
)
STARTING, PLAYING, CLOCKS, LIBRARY, MEASURING, DONE = range(6)


class Player:
    """What one process holds, sends and receives.

    program: its steps, each with its sends, receives and writes. values: the data of its rank.
    board: its row, where it says how far it is.
    """

    def __init__(self, plan: dict[str, Any], transport: Any, values: Any, board: Any = None):
        self.plan, self.transport = plan, transport
        self.rank = transport.rank
        self.program = plan["programs"][self.rank]
        self.kind = np.dtype(plan["dtype"])
        self.board = np.zeros(BOARD, np.int64) if board is None else board
        self.add = OPERATORS[plan["op"]]
        cuts = np.cumsum(plan["sizes"])[:-1]
        own = [] if values is None else np.split(np.asarray(values, self.kind), cuts)
        self.own = {slot: own[slot] for slot in plan["starts"][self.rank]}
        self.first = {slot: value.copy() for slot, value in self.own.items()}
        self.slots: dict[int, Any] = {}
        self.received: list[list[Any]] = []  # the slots of each message of each step
        self.into: list[list[Any]] = []  # the bytes they are received as
        for _, _, receives, _ in self.program:
            buffers = [np.empty(sum(sizes), self.kind) for _, sizes in receives]
            pairs = list(zip(receives, buffers))  # noqa: B905 - an older Python may run this
            self.received.append([np.split(b, np.cumsum(sizes)[:-1]) for (_, sizes), b in pairs])
            self.into.append([(peer, as_bytes(buffer)) for (peer, _), buffer in pairs])
        self.limit = float(plan["timeout"])

    def events(self) -> int:
        """How many times a run notes: for each step its begin, messages twice or once, its end."""
        return sum(2 + 2 * len(sends) + len(receives) for _, sends, receives, _ in self.program)

    def run(self) -> list[float]:
        """Play all steps; the times of a run, as `events` counts them."""
        for slot, value in self.own.items():
            np.copyto(self.first[slot], value)
        self.slots = dict(self.first)
        noted: list[float] = []
        with np.errstate(all="ignore"):
            for number in range(len(self.program)):
                self._step(number, noted)
        return noted

    def _step(self, number: int, noted: list[float]) -> None:
        """Send and receive, wait, then write; adds the times to those that are noted."""
        step, sends, _, writes = self.program[number]
        into, received = self.into[number], self.received[number]
        noted.append(time.perf_counter())
        out = [(peer, as_bytes(self._message(slots))) for peer, slots in sends]
        self.note(PLAYING, step=step)
        requests, begun = self.transport.start(out, into)
        ended = self.wait(requests, [peer for peer, _ in out + into])
        read = [
            received[message][at] if message >= 0 else self.slots[at].copy()
            for _, _, message, at in writes
        ]
        for (slot, adds, _, _), value in zip(writes, read):  # noqa: B905
            if adds:
                self.add(self.slots[slot], value, out=self.slots[slot])
            else:
                self.slots[slot] = value
        for pair in zip(begun, ended):  # noqa: B905
            noted += pair
        noted += [*ended[len(begun) :], time.perf_counter()]

    def _message(self, slots: list[int]) -> Any:
        """The content of some slots, one after the other."""
        if len(slots) == 1:
            return self.slots[slots[0]]
        return np.concatenate([self.slots[slot] for slot in slots])

    def wait(self, requests: list[Any], peers: list[int]) -> list[float]:
        """When each request ended; the board says for whom the process waits meanwhile."""
        ended = [0.0] * len(requests)
        pending = set(range(len(requests)))
        board, last = self.board, 0.0
        while pending:
            ended_requests = self.transport.finished(requests)
            now = time.perf_counter()
            for request in ended_requests:
                ended[request] = now
            pending.difference_update(ended_requests)
            if ended_requests:
                last = now
                continue
            board[BEAT] += 1
            last = last or now
            if now - last > 2e-3:  # only then is it of interest
                board[PEER] = peers[max(pending)]  # receives come last: who sends nothing is named
                if now - last > self.limit:
                    raise TimeoutError(f"waits for rank {board[PEER]}")
            if self.plan["oversubscribed"]:
                os.sched_yield()
        board[PEER] = -1
        return ended

    def barrier(self) -> None:
        """Wait until all processes are here."""
        self.wait([self.transport.barrier()], [-1])

    def note(self, phase: int, run: int | None = None, step: int = 0) -> None:
        """Say on the board how far this process is."""
        self.board[PHASE], self.board[STEP] = phase, step
        if run is not None:
            self.board[RUN] = run
        self.board[PROGRESS] += 1

    def result(self) -> Any:
        """What the rank ends with, by the promise of the collective."""
        ends = [self.slots[slot] for slot in self.plan["ends"][self.rank] if slot in self.slots]
        return self.divided(np.concatenate([np.empty(0, self.kind), *ends]))

    def divided(self, total: Any) -> Any:
        """A sum divided by the number of ranks, where an average is meant."""
        if self.plan["op"] != "avg" or not self.plan["reduces"]:
            return total
        wide = total.astype(np.float32) if total.itemsize == 2 else total
        return (wide / wide.dtype.type(self.plan["ranks"])).astype(total.dtype)

    def clock_offset(self) -> tuple[float, float]:
        """Seconds this process's clock is ahead of rank 0's, and how far off that may be.

        Processes of one machine have one clock. Else by the fastest of some messages to rank 0 and
        back: its clock is read half-way.
        """
        machines = self.transport.gather(machine())
        offset, within = 0.0, 0.0
        for peer in range(1, len(machines)):
            if machines[peer] == machines[0] or self.rank not in (0, peer):
                continue
            for _ in range(CLOCK_PINGS):
                if self.rank == 0:
                    stamp = np.zeros(1)
                    self.exchange(peer, stamp, sends=False)
                    self.exchange(peer, np.array([time.perf_counter()]))
                    continue
                begun, stamp = time.perf_counter(), np.zeros(1)
                self.exchange(0, stamp)
                self.exchange(0, stamp, sends=False)
                ended = time.perf_counter()
                if not within or (ended - begun) / 2 < within:
                    within = (ended - begun) / 2
                    offset = (begun + ended) / 2 - float(stamp[0])
        return offset, within

    def exchange(self, peer: int, values: Any, sends: bool = True) -> None:
        """Send values to a process, or receive them."""
        message = [(peer, as_bytes(values))]
        requests, _ = self.transport.start(*((message, []) if sends else ([], message)))
        self.wait(requests, [peer])

    def pings(self) -> list[list[float]]:
        """[bytes, seconds of one way], the median, with the next process; one pair at a time."""
        number = min(self.transport.size, MOST_PAIRS)
        if number < 2:
            return []
        pairs = [(0, 1)] if number == 2 or self.plan["oversubscribed"] else [
            (rank, (rank + 1) % number) for rank in range(number)
        ]  # fmt: skip
        pings: list[list[float]] = []
        for pair in pairs:
            self.barrier()
            if self.rank in pair:
                peer = sum(pair) - self.rank
                taken = [
                    [size, self._ping(peer, size, self.rank == pair[0])] for size in PING_SIZES
                ]
                pings += taken if self.rank == pair[0] else []
        return pings

    def _ping(self, peer: int, size: int, first: bool) -> float:
        """Median seconds of one way of so many bytes, of messages there and back."""
        buffer, taken = np.zeros(size, np.uint8), []
        for _ in range(PINGS):
            begun = time.perf_counter()
            self.exchange(peer, buffer, sends=first)
            self.exchange(peer, buffer, sends=not first)
            taken.append((time.perf_counter() - begun) / 2)
        return float(np.median(taken[PINGS // 4 :]))


def as_bytes(values: Any) -> Any:
    """An array as its bytes."""
    return np.ascontiguousarray(values).view(np.uint8)


def cores() -> set[int]:
    """The cores that this process may use: macOS does not say, and lets it use all."""
    all_cores = set(range(os.cpu_count() or 1))
    return os.sched_getaffinity(0) if sys.platform == "linux" else all_cores


def machine() -> str:
    """What is the same for all processes of one running machine."""
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    except OSError:
        return os.uname().nodename


def play_all(player: Player, folder: Path) -> None:
    """Play all runs, compare, measure, and write what was found into the folder."""
    plan, rank = player.plan, player.rank
    player.note(CLOCKS)
    offset, within = player.clock_offset()
    times = np.zeros((plan["runs"], player.events()))
    for run in range(-WARM_UP, plan["runs"]):
        player.note(PLAYING, run=run + 1)
        player.barrier()
        noted = player.run()
        if run >= 0:
            times[run] = noted
    result = player.result()
    player.note(LIBRARY)
    own, why = None, ""
    vector = np.concatenate([np.empty(0, player.kind), *library_input(player)])
    try:
        own = player.transport.collective(plan, vector)
    except LookupError as problem:
        why = str(problem)
    player.note(MEASURING)
    player.barrier()
    info = {
        "library": player.transport.version,
        "machine": machine(),
        "host": os.uname().nodename,
        "interfaces": [name for _, name in socket.if_nameindex()],
        "cores": sorted(cores()),
        "within": within,
        "no_collective": why,
        "pings": player.pings(),
    }
    np.save(folder / f"times.{rank}.npy", times - offset)
    np.save(folder / f"result.{rank}.npy", result)
    if own is not None:
        np.save(folder / f"library.{rank}.npy", player.divided(own))
    (folder / f"info.{rank}.json").write_text(json.dumps(info))
    player.barrier()
    player.note(DONE)


def library_input(player: Player) -> list[Any]:
    """What a rank gives to the library's own collective: its vector, zeros where it has none."""
    sizes = player.plan["sizes"]
    return [player.own.get(slot, np.zeros(size, player.kind)) for slot, size in enumerate(sizes)]


def main(folder: Path, backend: str) -> None:
    """Play the part of this process; what goes wrong is written beside the plan."""
    transports = import_module("transports")  # beside this file
    plan = json.loads((folder / "plan.json").read_text())
    transport: Any = transports.Mpi() if backend == "mpi" else transports.Torch(backend)
    rank = transport.rank
    board = np.memmap(folder / "board", np.int64, "r+", shape=(plan["nodes"], BOARD))
    try:
        if transport.size != plan["nodes"]:
            why = "its launcher may be that of another library"
            raise RuntimeError(f"it is one of {transport.size}, not of {plan['nodes']}: {why}")
        board[rank, PID] = os.getpid()
        inputs = np.load(folder / "inputs.npy", mmap_mode="r")
        values = inputs[rank] if rank < plan["ranks"] else None
        play_all(Player(plan, transport, values, board[rank]), folder)
    except Exception as problem:  # it ends this process: the launcher says why
        (folder / f"failed.{rank}").write_text(f"{type(problem).__name__}: {problem}")
        transport.abort()
    transport.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
