"""Recordings played by threads in place of processes: what players do, without any engine."""

import json
import time
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from queue import Queue

import numpy as np

from collectives.launch.plan import plan_of
from collectives.launch.player import Player
from collectives.launch.run import Launched


class Mail:
    """Messages between threads; as with torch, the first that is awaited is waited for."""

    version = "threads"
    size = 0  # of all, where it is asked for

    def __init__(self, rank, boxes):
        self.rank, self.boxes, self.sent = rank, boxes, 0

    def gather(self, value):
        for peer in range(self.size):
            self.boxes["gathered", peer, self.rank].put(value)
        return [
            self.boxes["gathered", self.rank, peer].get(timeout=10) for peer in range(self.size)
        ]

    def start(self, sends, receives):
        begun = []
        for peer, buffer in sends:
            begun.append(time.perf_counter())
            self.boxes[self.rank, peer].put(bytes(buffer))
            self.sent += 1
        return [None] * len(sends) + [list(each) for each in receives], begun

    def finished(self, requests):
        for number, request in enumerate(requests):
            if request != []:
                if request is not None:
                    peer, into = request
                    into[...] = bytearray(self.boxes[peer, self.rank].get(timeout=10))
                requests[number] = []
                return [number]
        return []


def played(recording, runs=1):
    """The players of a recording after some runs, and what they noted, [run][node]."""
    content = json.loads(json.dumps(plan_of(recording).as_json(10.0, False)))
    boxes, inputs = defaultdict(Queue), recording.inputs
    values = [*inputs, *[None] * (recording.nodes - recording.ranks)]
    for pair in ((src, dst) for src in range(len(values)) for dst in range(len(values))):
        boxes[pair]  # made before threads look for it
    players = [Player(content, Mail(rank, boxes), own) for rank, own in enumerate(values)]
    with ThreadPoolExecutor(len(players)) as threads:
        noted = [list(threads.map(Player.run, players)) for _ in range(runs)]
    assert all(box.empty() for box in boxes.values())
    return players, noted


def launched(recording, cores=64, own=None, pings=((8, 2e-6), (1 << 20, 1e-4))):
    """A launch by threads; `own` is what the library's own collective gave."""
    players, noted = played(recording, 20)
    info = {"library": "threads", "machine": "m", "cores": list(range(cores)), "within": 0.0}
    info |= {"interfaces": ["lo"], "no_collective": "" if own else "threads have none", "pings": []}
    infos = [info | {"pings": [list(ping) for ping in pings]}, *[info] * (len(players) - 1)]
    times = [np.array([run[node] for run in noted]) for node in range(len(players))]
    results = [player.result() for player in players[: recording.ranks]]
    return Launched(plan_of(recording), results, own, times, infos)
