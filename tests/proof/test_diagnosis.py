"""What is said of wrong recordings is held against the independent interpreter of the tests."""

import linecache
import re
from collections import Counter
from itertools import combinations
from random import Random

import numpy as np
import pytest
from interpreter import start, states

from collectives import check, exchange, record, reduce, send, together
from collectives.algorithms.binomial import binomial_reduce
from collectives.algorithms.ring import ring_all_reduce
from collectives.collective import SCAN
from collectives.proof.diagnosis.causes import lost, spoiled
from collectives.proof.diagnosis.contents import bits, mask
from collectives.proof.diagnosis.goal import Goal, Goals
from collectives.proof.diagnosis.history import History
from collectives.proof.diagnosis.phrases import named
from collectives.schedule import merged


def random_steps(random, ranks, slots, chance=0.5):
    """Sends and reduces at random, of which some go from a slot to the same slot."""
    for _ in range(random.randint(1, 7)):
        rows = []
        for dst in random.sample(range(ranks), random.randint(1, ranks)):
            chunk = random.randrange(slots)
            into = chunk if random.random() < 0.8 else random.randrange(slots)
            verb = reduce if random.random() < chance else send
            rows.append(verb(random.randrange(ranks), dst, chunk, into))
        yield merged(rows)


def schedules(collective, many=150):
    """Random recordings of three or four ranks, with what every slot holds after every step."""
    for seed in range(many):
        random = Random(seed)
        ranks, slots = random.choice([(3, 1), (4, 1), (3, 2), (3, 3)])
        steps = list(random_steps(random, ranks, slots, 0.7))
        recording = record(steps, collective=collective, ranks=ranks, slots=slots)
        cells = [(rank, slot) for rank in range(ranks) for slot in range(slots)]
        yield recording, states(start(cells), steps)


def as_counter(content):
    """A content as the interpreter has it, where nothing is there more than twice."""
    found = Counter()
    for slot, (ranks, more) in content.items():
        found.update((rank, slot) for rank in bits(ranks) + bits(more))
    return found


def clipped(content):
    return Counter({cell: min(2, often) for cell, often in content.items()})


@pytest.mark.parametrize("collective", ["all_reduce", "scan"])
def test_the_history_holds_what_the_interpreter_holds(collective):
    for recording, content in schedules(collective):
        history = History(recording)
        for cell, versions in history.versions.items():
            for step, known in enumerate(content):
                version = [v for v in versions if v.step <= step][-1]
                assert as_counter(version.content) == clipped(known[cell])


def due_of(recording, cell):
    due = recording.required
    first, end, origin = (int(column[cell]) for column in (due.first, due.end, due.origin))
    return Counter({(rank, origin): 1 for rank in range(first, end)})


def reachable(content, due):
    """Whether some of the contents add up to what is due: all subsets are tried."""
    usable = {tuple(sorted(held)) for held in content.values() if held <= due}
    if due == sum((Counter(held) for held in usable), Counter()):
        return True
    return any(
        sum((Counter(held) for held in chosen), Counter()) == due
        for many in range(1, len(due) + 1)
        for chosen in combinations(usable, many)
    )


@pytest.mark.parametrize("collective", ["all_reduce", "scan"])
def test_what_is_lost_is_lost_from_exactly_that_step_on(collective):
    kinds = Counter()
    for recording, content in schedules(collective):
        history, goals = History(recording), Goals(recording)
        for cell in content[0]:
            due = due_of(recording, cell)
            found = lost(history, goals[cell], cell)
            last = len(content) - 1 if found is None else found.event.row.step - 1
            assert all(reachable(known, due) for known in content[: last + 1])
            if found is not None:
                after = content[last + 1]
                assert not reachable(after, due)
                usable = [held for held in after.values() if held <= due]
                gone = set(due) - set().union(*usable)
                assert {(rank, goals[cell].origin) for rank in bits(found.ranks)} == gone
                row = found.event.row
                assert content[last][row.dst] != after[row.dst], "it wrote what is blamed"
            kinds[found is not None and ("overlap" if not found.ranks else "gone")] += 1
    assert set(kinds) == {False, "overlap", "gone"}, "all kinds are to be tried"


@pytest.mark.parametrize("collective", ["all_reduce", "scan"])
def test_the_blamed_transfer_makes_a_slot_wrong_that_was_right(collective):
    seen = 0
    for recording, content in schedules(collective):
        history, goals = History(recording), Goals(recording)
        for cell in content[0]:
            due, end = due_of(recording, cell), history.now[cell]
            wrong = not content[-1][cell] <= due
            assert wrong == (not goals[cell].fits(end.content))
            event = spoiled(end, goals[cell], goals, at_home=False) if wrong else None
            if event is not None:
                seen += 1
                row = event.row
                assert not content[row.step][row.dst] <= due
                assert as_counter(event.read) == clipped(content[row.step - 1][row.src])
                assert content[-1][cell] >= content[row.step - 1][row.src]
    assert seen > 100


def test_the_sentence_names_what_differs_at_the_end():
    """Whatever is said to be missing, double or foreign is so, and the other way round."""
    for recording, content in schedules("all_reduce"):
        text = str(recording.check())
        found = re.search(r"rank (\d+), slot (\d+) (?:ends wrong|is empty)", text)
        right = [held == due_of(recording, cell) for cell, held in content[-1].items()]
        assert (found is None) == all(right)
        if found is None:
            continue
        cell = (int(found[1]), int(found[2]))
        held, due = content[-1][cell], due_of(recording, cell)
        assert held != due
        sentence = text.partition(": ")[2].partition(". ")[0]
        assert ("missing" in sentence or "instead of" in sentence) == bool(due - held)
        double = [often for c, often in held.items() if c in due and often > 1]
        assert (" is in it " in sentence) == bool(double)
        foreign = [c for c in held if c not in due]
        assert ("it holds" in sentence) == bool(foreign)
        others = right.count(False) - 1
        assert text.endswith(f"{others} more slots are wrong") == (others > 1)


@pytest.mark.parametrize("collective", ["all_reduce", "scan"])
def test_long_schedules_are_followed_for_one_slot_only(collective, monkeypatch):
    """The same is said of the first wrong slot, whether all slots are followed or few."""
    differ = 0
    for recording, _ in schedules(collective):
        if recording.check():
            continue
        monkeypatch.setattr("collectives.proof.diagnosis.report.MAX_EXAMINED", 1)
        whole = str(recording.check())
        monkeypatch.setattr("collectives.proof.diagnosis.report.MAX_FOLLOWED_ROWS", 0)
        part = str(recording.check())
        monkeypatch.undo()
        assert part.partition(". ")[0] == whole.partition(". ")[0]
        steps = [re.findall(r"wrong in (step \d+)", text) for text in (whole, part)]
        assert steps[0] == steps[1]
        differ += whole != part
    assert differ, "data of other slots is named where it is known"


def test_more_ranks_than_are_followed(monkeypatch):
    monkeypatch.setattr("collectives.proof.diagnosis.report.MAX_TRACED_RANKS", 3)
    recording = record([reduce(1, 0), reduce(1, 0)], collective="reduce", ranks=4, slots=1)
    assert str(recording.check()).endswith(
        "slot 0 ends wrong: chunk 0 of ranks 2 and 3 is missing and chunk 0 of rank 1 is in it "
        "twice. Steps are looked into up to 3 ranks; try fewer"
    )
    recording = record([], collective="broadcast", ranks=4, slots=1)
    assert "rank 1, slot 0 is empty at the end: chunk 0 of rank 0 is missing" in str(
        recording.check()
    )


def test_covers():
    goal = Goal(0, 0b1111)
    assert sorted(goal.cover([0b1, 0b110, 0b1000, 0b11])) == [0b1, 0b110, 0b1000]
    assert goal.cover([0b11, 0b110, 0b1100]) == [0b11, 0b1100]
    assert goal.cover([0b11, 0b110, 0b1000]) is None
    assert goal.cover([0b11, 0b1000]) is None
    assert Goal(0, 0b1111, exactly_once=False).cover([0b11, 0b110, 0b1000]) is not None
    many = mask(range(70))
    overlapping = [mask(range(40)), mask(range(30, 70))]
    assert Goal(0, many).cover(overlapping) is not None, "not looked into: not known to be lost"


def test_covers_that_take_too_long_are_not_known_to_be_missing(monkeypatch):
    def pairs(ranks):
        return [1 << a | 1 << b for a, b in combinations(range(ranks), 2)]

    assert Goal(0, mask(range(15))).cover(pairs(15)) is not None
    assert Goal(0, mask(range(7))).cover(pairs(7)) is None
    monkeypatch.setattr("collectives.proof.diagnosis.goal.MAX_TRIED", 10)
    assert Goal(0, mask(range(7))).cover(pairs(7)) is not None


def test_said_of_a_barrier():
    """Arrivals may come twice; who has not heard of whom is said."""
    rank = np.arange(4)
    steps = [reduce(rank, (rank + distance) % 4) for distance in (1, 2, 2)]
    assert record(steps, collective="barrier", ranks=4, slots=1).check()
    text = str(record([send(0, 1)], collective="barrier", ranks=4, slots=1).check())
    assert text == (
        "schedule on 4 ranks: rank 0 ends without having heard of ranks 1 to 3. It goes wrong in "
        "step 1: rank 0 sends its slot 0 (the arrival of rank 0) over the arrival of rank 1 in "
        "slot 0 of rank 1. After that no step can put it right: nobody has the arrival of rank 1 "
        "any more. In a barrier a send overwrites what a rank knew; use reduce. 3 more slots are "
        "wrong"
    )


def test_said_of_received_blocks():
    pairs = exchange([(0, 0, 1, 0), (1, 0, 0, 0)])
    crossed = [send([0, 0], [0, 1], 0, 1)]
    text = str(record(crossed, collective=pairs, ranks=2, slots=1).check())
    assert text == (
        "schedule on 2 ranks: rank 0, slot 1 ends wrong: it holds chunk 0 of rank 0 instead of "
        "chunk 0 of rank 1. It goes wrong in step 1: rank 0 sends its slot 0 (chunk 0 of rank 0) "
        "into its slot 1"
    )


def test_said_of_switches_and_of_a_scratch_slot():
    steps = [reduce([0, 1], 2), send(2, 0)]
    text = str(record(steps, collective="all_reduce", ranks=2, slots=1, nodes=3).check())
    assert "What belongs there is in slot 0 of node 2 instead, put there in step 1" in text
    steps = [reduce([0, 1], 0, 0, 1)]
    recording = record(steps, collective="reduce", ranks=2, slots=1, scratch=1)
    assert "What belongs there is in slot 1 of rank 0 instead" in str(recording.check())


def test_said_where_library_code_was_called():
    def spoiling(n):
        yield from ring_all_reduce(n)
        # once more
        yield from binomial_reduce(n)

    text = str(record(spoiling(2), collective="all_reduce", ranks=2).check())
    line = spoiling.__code__.co_firstlineno + 3
    assert f"step 3 (test_diagnosis.py line {line} → binomial.py line " in text


def test_a_scan_is_told_of_higher_ranks():
    recording = record([reduce([1, 0], [0, 1])], collective=SCAN, ranks=2, slots=1)
    assert "it holds chunk 0 of rank 1, which does not belong there" in str(recording.check())


def test_what_went_wrong_first_is_told():
    """Of a slot into which several things came that are wrong, and of several wrong slots."""
    steps = [
        reduce(0, 1, 1),
        reduce(0, 1, 1),
        reduce(1, 0, 0),
        reduce(1, 0, 0),
        reduce(1, 2, 0),
        reduce(0, 2, 0),
    ]
    text = str(record(steps, collective="all_reduce", ranks=3, slots=2).check())
    assert "rank 0, slot 1 ends wrong" in text, "slot 0 goes wrong in step 4"
    assert "It goes wrong in step 2: rank 0 adds its slot 1" in text
    steps = [reduce([0, 1], [2, 3]), reduce(2, 4), reduce(2, 4), reduce(3, 5), reduce(3, 5)]
    steps += [reduce(5, 6), reduce(4, 6)]
    recording = record(steps, collective="all_reduce", ranks=7, slots=1)
    history, goals = History(recording), Goals(recording)
    assert spoiled(history.now[6, 0], goals[6, 0], goals, True).row.step == 3


def test_arrivals_that_came_twice_are_of_use():
    text = str(record([reduce(1, 0)] * 2, collective="barrier", ranks=2, slots=1).check())
    assert text == (
        "schedule on 2 ranks: rank 1 ends without having heard of rank 0. All of it is in slot 0 "
        "of rank 0 since step 2, but no step sends it to rank 1. The schedule ends after step 2"
    )


def test_the_line_is_that_of_the_very_transfer():
    def right(n):
        yield reduce(1, 0, 0)

    def wrong(n):
        yield reduce(1, 0, 0, 1)

    recording = record(together(right(2), wrong(2)), collective="reduce", ranks=2)
    line = wrong.__code__.co_firstlineno + 1
    assert f"It goes wrong in step 1 (test_diagnosis.py line {line}): " in str(recording.check())


def test_names():
    assert named([3, 4]) == "ranks 3 and 4"
    assert bits(mask([0, 5, 70])) == [0, 5, 70]
    assert mask([]) == 0


def test_a_barrier_of_sends_is_told_to_reduce():
    def sent(n):
        rank, distance = np.arange(n), 1
        while distance < n:
            yield send(rank, (rank + distance) % n)
            distance *= 2

    for n in (2, 3, 4, 5, 8):
        said = str(record(sent(n), collective="barrier", ranks=n).check())
        assert said.count("In a barrier a send overwrites what a rank knew; use reduce") == 1, said
    added = str(record([reduce(0, 1)], collective="barrier", ranks=2).check())
    assert "send overwrites" not in added


def test_a_barrier_with_foreign_data():
    steps = [reduce([0, 1], [1, 0]), reduce([0, 1], [1, 0], 1), reduce(0, 0, 1, 0)]
    said = str(record(steps, collective="barrier", ranks=2, slots=2).check())
    assert "ranks ." not in said
    assert "rank 0, slot 0 ends wrong: it holds arrivals that belong in slot 1" in said
    both = str(record(steps[1:], collective="barrier", ranks=2, slots=2).check())
    assert "rank 0 ends without having heard of rank 1" in both


CELL = """import numpy as np

from collectives import send


def short_broadcast(n, root=0):
    # the root sends to its neighbor
    yield send(root, (root + 1) % n)


def wrong_broadcast(n, root=0):
    # further than there are ranks
    yield send(root, n)


def raising_broadcast(n, root=0):
    yield send(root, n // 0)
"""


@pytest.mark.parametrize(
    "file",
    [
        "/tmp/ipykernel_81244/2146661748.py",
        "C:\\Users\\me\\AppData\\Local\\Temp\\ipykernel_81244\\2146661748.py",
        "<ipython-input-3-0fdd7a8c1234>",
        "/var/folders/x/T/xpython_12/99.py",
        "the cell of a debugger",
    ],
)
def test_a_line_of_a_notebook_is_one_of_your_cell(file, monkeypatch):
    monkeypatch.setenv("IPYKERNEL_CELL_NAME", "the cell of a debugger")
    lines = CELL.splitlines(keepends=True)
    monkeypatch.setitem(linecache.cache, file, (len(CELL), None, lines, file))
    space = {}
    exec(compile(CELL, file, "exec"), space)
    for name, place in (
        ("short_broadcast", "your cell, line 8: the root sends to its neighbor)"),
        ("wrong_broadcast", "(your cell, line 13)"),
        ("raising_broadcast", "(your cell, line 17): raising_broadcast raised ZeroDivisionError"),
    ):
        said = str(check(space[name], ranks=[3], root=0, slots=1))
        assert place in said and file not in said, said


@pytest.mark.parametrize("file", ["mine.py", "/home/ipykernel/mine.py", "/tmp/notebook_7/mine.py"])
def test_other_files_keep_their_names(file):
    space = {}
    exec(compile(CELL, file, "exec"), space)
    assert "(mine.py line 13)" in str(check(space["wrong_broadcast"], ranks=[3], root=0, slots=1))
