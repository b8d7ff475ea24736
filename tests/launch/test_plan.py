"""Plans of launches, played by threads: every process ends with the bits of the recording."""

import json
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from queue import Queue

import pytest
from each import each
from settings import SOME_ROWS, recorded, settings

from collectives import BadInput, record
from collectives.launch.plan import MAX_PROCESSES, plan_of
from collectives.launch.player import Player


class Mail:
    """Messages between threads; as with torch, the first that is awaited is waited for."""

    def __init__(self, rank, boxes):
        self.rank, self.boxes, self.sent = rank, boxes, 0

    def start(self, sends, receives):
        for peer, buffer in sends:
            self.boxes[self.rank, peer].put(bytes(buffer))
            self.sent += 1
        return [None] * len(sends) + [list(each) for each in receives], [0.0] * len(sends)

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
    """The players of a recording, after some runs."""
    content = json.loads(json.dumps(plan_of(recording).as_json(10.0, False)))
    boxes, inputs = defaultdict(Queue), recording.inputs
    values = [*inputs, *[None] * (recording.nodes - recording.ranks)]
    for pair in ((src, dst) for src in range(len(values)) for dst in range(len(values))):
        boxes[pair]  # made before threads look for it
    players = [Player(content, Mail(rank, boxes), own) for rank, own in enumerate(values)]
    with ThreadPoolExecutor(len(players)) as threads:
        for _ in range(runs):
            noted = list(threads.map(Player.run, players))
    assert [len(times) for times in noted] == [player.events() for player in players]
    assert all(box.empty() for box in boxes.values())
    return players


@each("row", SOME_ROWS, lambda row: row.title)
def test_every_process_ends_with_the_bits_of_the_recording(row):
    for setting in list(settings(row, (5, 4), all_roots=False))[:2]:
        recording = recorded(row, setting)
        players = played(recording)
        for player, expected in zip(players, recording.result(), strict=False):
            assert player.result().tobytes() == expected.tobytes()
        assert sum(player.transport.sent for player in players) == recording.counters.messages


def test_a_second_run_starts_anew():
    recording = record("all_reduce", "ring", ranks=3, dtype="float32", op="avg", count=7)
    for player, expected in zip(played(recording, runs=3), recording.result(), strict=True):
        assert player.result().tobytes() == expected.tobytes()


def test_what_cannot_be_launched_is_said_in_one_line():
    wide = record("barrier", "dissemination", ranks=MAX_PROCESSES + 1)
    with pytest.raises(BadInput, match="257 processes: at most 256 are launched; nearest: -n 256"):
        plan_of(wide)
    many = record("all_reduce", "ring", ranks=256)
    with pytest.raises(BadInput, match="at most 65536 are launched; nearest: fewer ranks"):
        plan_of(many)
