"""Schedules built as on the page: its verdicts are the check's, and what it writes can be read."""

import json
import random
import subprocess
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from machine_cases import AT_STEP, first_wrong, transfers
from settings import SOME_ROWS, THOROUGH, sampled

from animations.player.pack.data import story as story_of
from animations.story.usual import usual_board
from collectives import check, record, send
from collectives.errors import WrongSchedule
from collectives.proof.prove import prove
from collectives.recording.saved import from_json

HERE = Path(__file__).parent
RANKS = (2, 3, 4, 5, 8)
MOST = 2 if THOROUGH else 1  # numbers of ranks of a row
LONG = 12  # edits of a script


def recordings():
    """Recordings of which a page shows each rank: one or several of each row."""
    found = []
    for at, row in enumerate(sampled(SOME_ROWS, 3)):
        accepted = [n for n in RANKS if row.accepts(n)]
        for n in (accepted[at % len(accepted) :] + accepted)[:MOST]:
            found.append(record(row.collective, row.algorithm, ranks=n))
    return [*found, record("all_reduce", "ring", ranks=4, counts=[3, 1, 2, 2])]


def placed(step):
    """The edits that place the transfers of a step."""
    return [
        {"edit": "place", "from": [src, chunk], "to": [dst, into], "adds": adds}
        for src, dst, chunk, into, adds, *_ in step
    ]


def rebuilt(steps):
    """The edits that build these steps from nothing."""
    return [
        edit
        for at, step in enumerate(steps)
        for edit in [{"edit": "goto", "at": at}, *placed(step)]
    ]


def changes(recording, dice, many):
    """Random edits; many of them are refused."""
    nodes, slots, steps = recording.nodes, recording.slots, len(recording.steps)
    found = []
    for _ in range(many):
        kind = dice.choice(["place"] * 3 + ["goto"] * 2 + ["move", "remove", "turn", "other"])
        edit = {"edit": kind, "number": dice.randrange(99)}
        if kind == "place":
            places = [[dice.randrange(nodes), dice.randrange(slots)] for _ in "ft"]
            edit = {"edit": kind, "from": places[0], "to": places[1], "adds": dice.randrange(2)}
        elif kind == "move":
            edit["to"] = [dice.randrange(nodes), dice.randrange(slots)]
        elif kind == "goto":
            edit = {"edit": kind, "at": dice.randrange(steps + 2)}
        elif kind == "other":
            words = ["new step", "drop step", "start here", "undo", "undo", "redo", "redo"]
            edit = {"edit": dice.choice(words)}
        found.append(edit)
    return found


def scripts(made):
    """Schedules built anew, changed a little, changed much, and mended again."""
    dice = random.Random(7)
    found = []
    for story, recording in enumerate(made):
        steps = [transfers(step) for step in recording.steps]
        one, more = changes(recording, dice, 3), changes(recording, dice, LONG)
        mended = [*changes(recording, dice, 2), *[{"edit": "undo"}] * 2]
        found += [
            {"story": story, "own": False, "edits": rebuilt(steps) + one},
            {"story": story, "own": True, "edits": one},
            {"story": story, "own": True, "edits": more},
            {"story": story, "own": True, "edits": mended},
            {"story": story, "own": False, "edits": more},
        ]
    return found


@pytest.fixture(scope="module")
def built(node):
    """Each schedule with the recording it was built from and what the page finds of it."""
    made = recordings()
    boards = [usual_board(recording) for recording in made]
    shown = [at for at, board in enumerate(boards) if board.task]
    made = [made[at] for at in shown]
    given = scripts(made)
    stories = [story_of(boards[at]) for at in shown]
    text = json.dumps({"stories": stories, "scripts": given})
    done = subprocess.run(
        [node, HERE / "built.mjs"], input=text, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert not THOROUGH or len(found) >= 500
    return [(made[script["story"]], one) for script, one in zip(given, found, strict=True)]


def again(recording, steps):
    """The recording of other steps of the same task, of the usual size."""
    board = usual_board(recording)
    columns = [np.array(step, int).reshape(-1, 5).T for step in steps]
    made = [
        replace(send(src, dst, chunk, into), reduces=adds.astype(bool))
        for src, dst, chunk, into, adds in columns
    ]
    kept = ("ranks", "root", "nodes", "helpers", "dtype", "op")
    return record(
        made,
        collective=recording.collective,
        slots=recording.chunk_count,
        scratch=recording.slots - recording.promised_slots,
        count=None if recording.counts else board.task.settings["count"],
        counts=recording.counts,
        **{name: getattr(recording, name) for name in kept},
    )


def test_verdicts_of_the_page_are_those_of_the_check(built):
    kinds = set()
    for recording, found in built:
        steps, words = found["steps"], ""
        try:
            own = again(recording, steps)
        except WrongSchedule as problem:
            right, step = False, int(AT_STEP.search(str(problem))[1])
        else:
            verdict = prove(own)
            right, words = verdict.ok, verdict.text
            step = 0 if right else first_wrong(own)
            counters = own.counters
            cost = {"steps": counters.steps, "ports": counters.ports, "sent": own.bytes_sent}
            assert {name: found["cost"][name] for name in cost} == cost
        assert (found["right"], found["step"]) == (right, step), (found["text"], words, steps)
        kinds.add((right, bool(step)))
    assert kinds == {(True, False), (False, False), (False, True)}


def test_what_is_written_is_read_again(built):
    for recording, found in built:
        if not found["right"]:
            continue
        loaded = from_json(json.loads(found["recording"]))
        assert [transfers(step) for step in loaded.steps] == found["steps"]
        assert loaded.check()
        if recording.collective.paired or recording.collective.routed:
            continue  # there is no name for what its pairs promise
        names = {}
        exec(found["code"], names)
        name = f"built_{recording.collective.name}"
        own = {
            "root": recording.root or None,
            "scratch": recording.slots - recording.promised_slots or None,
            "nodes": recording.nodes if recording.nodes > recording.ranks else None,
        }
        verdict = check(names[name], ranks=recording.ranks, **own)
        assert verdict, (verdict.text, found["code"])
