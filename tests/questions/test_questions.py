"""Questions: the answer by a second way, never two right answers, every wrong answer wrong."""

import re
from collections import Counter
from functools import cache
from itertools import product
from random import Random

import numpy as np
import pytest
from each import each, row_title
from interpreter import (
    ConflictError,
    EmptyReadError,
    Layout,
    begin,
    rows,
    ruled,
    start,
    states,
)
from settings import THOROUGH

from collectives import ROWS, record, send
from collectives.catalog import find_row
from collectives.cost.choose.setup import resized
from collectives.exercises import inventory
from collectives.questions import questions
from collectives.questions.amounts import amount_sent, steps_of_twice
from collectives.questions.changes import changed_line
from collectives.questions.choose import BEFORE_A_STEP, KINDS
from collectives.questions.facts import Facts
from collectives.questions.misconceptions import MISCONCEPTIONS
from collectives.questions.why import WHY, Variants
from collectives.recording.saved import load, save
from collectives.units import parse_size

RANKS = range(2, 10)
ENOUGH = {"cell": 25, "idle": 35, "done": 40, "sum": 15}  # rows that are asked on some ranks
USUALLY = 60  # of other kinds


@cache
def recording_of(row, ranks):
    return record(row.collective, row.algorithm, ranks=ranks)


@cache
def facts_of(row, ranks):
    return Facts(recording_of(row, ranks))


def numbers_of(row):
    """Numbers of ranks on which a row is asked: two that differ from row to row, or all."""
    accepted = [n for n in RANKS if row.accepts(n)]
    first = ROWS.index(row) % len(accepted)
    return accepted if THOROUGH else sorted({accepted[first], accepted[first - len(accepted) // 2]})


CASES = [(row, n) for row in ROWS for n in numbers_of(row)]


def title(case):
    return f"{case[0].title} on {case[1]}"


def asked(kind, case):
    """Questions of a kind before some steps of a case."""
    facts, random = facts_of(*case), Random(title(case))
    if kind == "steps":
        return list(filter(None, [steps_of_twice(facts, random, None)]))
    if kind == "line":
        return list(filter(None, [changed_line(facts, random)]))
    if kind in WHY:
        return list(filter(None, [WHY[kind](Variants(facts), random)]))
    steps = range(1, facts.last + 1)
    if not THOROUGH:
        steps = sorted({*steps[:1], *steps[-1:], *random.sample(steps, min(1, len(steps)))})
    return list(filter(None, (BEFORE_A_STEP[kind](facts, step, random) for step in steps)))


def check_options(question):
    """One answer is right; those that are wrong differ from it in meaning and in words."""
    right = [option for option in question.options if not option.misconception]
    assert len(right) == 1 and right[0] == question.right
    assert len({option.value for option in question.options}) == len(question.options)
    assert len({option.text for option in question.options}) == len(question.options)
    assert all(option.text for option in question.options)
    assert len(question.options) >= (2 if question.form == "number" else 3)
    for option in question.options:
        assert bool(option.feedback) == bool(option.misconception)
        assert not option.misconception or option.misconception in MISCONCEPTIONS
    assert all(bool(each.feedback) == bool(each.misconception) for each in question.reasons)
    reasons = [reason.misconception for reason in question.reasons]
    assert reasons.count("") == 1 and 2 <= len(reasons) <= 3
    assert len({reason.text for reason in question.reasons}) == len(reasons)
    assert question.prompt.endswith("?") and question.hint.endswith((".", "?"))
    [reason] = [reason.text for reason in question.reasons if not reason.misconception]
    assert question.explanation
    assert question.kind == "steps" or question.right.text not in reason


# The second way: plain Python on the rows of the steps.


@cache
def played(case):
    """What all slots hold after every step; what once is enough of, once."""
    recording = recording_of(*case)
    before = zip(*map(list, recording.precondition.nonzero()), strict=True)
    found = states(start((int(r), int(s)) for r, s in before), recording.steps)
    if recording.collective.exactly_once:
        return found
    return [{at: Counter(set(held)) for at, held in state.items()} for state in found]


def content(state, at):
    return tuple((rank, origin, n) for (rank, origin), n in sorted(state.get(at, {}).items()))


def table(recording, step):
    """The rows of a step to other nodes, slot by slot."""
    return [
        (row.src, row.dst, row.chunk + k, row.into + k)
        for row in rows(recording.steps[step - 1])
        for k in range(row.count)
        if row.src != row.dst
    ]


def answer_to_next(question, case):
    [rank] = question.about[1]
    moves = table(recording_of(*case), question.step)
    if question.form == "choice":
        found = {(chunk, dst) for src, dst, chunk, _ in moves if src == rank}
    elif question.prompt.startswith("To"):
        found = {(dst,) for src, dst, _, _ in moves if src == rank}
    else:
        found = {(src,) for src, dst, _, _ in moves if dst == rank}
    [value] = found
    return value


def answer_to_cell(question, case):
    return content(played(case)[question.step], question.about[1])


def answer_to_bytes(question, case):
    sent = sent_by(question, case)
    return max(sent[rank] for rank in range(case[1]))


def sent_by(question, case):
    """What each node has sent by the end of the question's step."""
    recording = recording_of(*case)
    sent = Counter()
    moves_data = recording.collective.moves_data
    state = [0] * recording.slots
    if moves_data:
        assert recording.size.min() == recording.size.max()
        state = [int(recording.size[0]) * 8] * recording.slots
    for step in range(1, question.step + 1):
        messages = {
            (src, dst, chunk if moves_data else 0) for src, dst, chunk, _ in table(recording, step)
        }
        for src, _, chunk in messages:
            sent[src] += state[chunk] if moves_data else 1
    return sent


def busiest(question, case):
    """The ranks that have sent as much as the question's answer."""
    sent = [sent_by(question, case)[rank] for rank in range(case[1])]
    return tuple(rank for rank, amount in enumerate(sent) if amount == question.right.value)


def answer_to_idle(question, case):
    recording = recording_of(*case)
    busy = {node for src, dst, _, _ in table(recording, question.step) for node in (src, dst)}
    return tuple(rank for rank in range(recording.ranks) if rank not in busy)


def answer_to_done(question, case):
    recording, rank = recording_of(*case), int(re.search(r"rank (\d+)", question.prompt)[1])
    promised = [(int(r), int(s)) for r, s in zip(*recording.postcondition.nonzero(), strict=True)]
    states = [[held.get(at) for at in promised if at[0] == rank] for held in played(case)]
    return next(step for step, held in enumerate(states) if held == states[-1])


def answer_to_fewest(question, case):
    reached, steps = 1, 0
    ports = int(re.search(r"at most (\w+) message", question.detail)[1].replace("one", "1"))
    while reached < case[1]:
        reached, steps = reached * (ports + 1), steps + 1
    return steps


def answer_to_sum(question, case):
    """The one answer that has the bits of the steps, executed on floats of all sizes."""
    recording, random = recording_of(*case), Random(question.step)
    left, names = [*question.options], facts_of(*case).names
    cells = [*np.ndindex(recording.nodes, recording.slots)]
    asked = next(cell for cell in cells if f"will {names.place(*cell)} be" in question.prompt)
    for draw in range(1000):
        if draw >= 30 and len(left) == 1:  # few orders differ in the last bits of 30 sums only
            break
        data = [random.uniform(-1, 1) * 10 ** random.randrange(16) for _ in range(case[1])]
        held = {cell: data[cell[0]] for cell in map(tuple, np.argwhere(recording.precondition))}
        for step in recording.steps[: question.step]:
            slots = [(row, k) for row in rows(step) for k in range(row.count)]
            moved = [(row, k, held[row.src, row.chunk + k]) for row, k in slots]
            for row, k, number in moved:
                at = row.dst, row.into + k
                held[at] = held[at] + number if row.adds and at in held else number
        called = {f"x{rank}": number for rank, number in enumerate(data)}
        left = [option for option in left if eval(option.value, {}, called) == held[asked]]
    [right] = left
    return right.value


def answer_to_steps(question, case):
    row, ranks = case
    setting = row.setting(2 * ranks, recording_of(row, ranks).root)
    counted = 0
    for step in row.schedule(setting):
        counted += any(
            src != dst for src, dst in zip(step.src.tolist(), step.dst.tolist(), strict=True)
        )
    return counted


SECOND_WAY = {
    "next": answer_to_next,
    "cell": answer_to_cell,
    "bytes": answer_to_bytes,
    "idle": answer_to_idle,
    "done": answer_to_done,
    "steps": answer_to_steps,
    "fewest": answer_to_fewest,
    "sum": answer_to_sum,
}


@pytest.mark.parametrize("kind", SECOND_WAY)
def test_the_answer_is_the_one_found_by_a_second_way(kind):
    rows_asked = set()
    for case in CASES:
        for question in asked(kind, case):
            rows_asked.add(case[0].title)
            check_options(question)
            check_marks(question, case)
            assert question.kind == kind and question.right.value == SECOND_WAY[kind](
                question, case
            ), (title(case), question)
    assert len(rows_asked) >= ENOUGH.get(kind, USUALLY)


def check_marks(question, case):
    """What the picture shows of the right answer is so, and of wrong ones what these say."""
    for option in question.options:
        if question.kind == "idle":
            assert [mark.at for mark in option.marks] == [option.value] * bool(option.value)
        if question.kind == "cell":
            assert option.marks == (("cell", question.about[1], option.value),)
        if question.kind == "next" and option.marks[0].kind == "transfer":
            src, chunk, dst, into = option.marks[0].at
            assert question.about[1][0] in (src, dst)
            assert option.value in ((chunk, dst), (dst,), (src,))
            known = (src, dst, chunk, into) in table(recording_of(*case), question.step)
            assert known == (option == question.right)
    if question.kind == "bytes":
        assert question.right.marks == (("ranks", busiest(question, case), ()),)
    assert all(o.marks != question.right.marks for o in question.options if o.misconception) or (
        question.kind in ("bytes", "steps", "done", "fewest", "sum")
    )


def true_reasons(question, case):
    """Reasons that are offered as wrong ones and are true, told by their texts."""
    moves = table(recording_of(*case), question.step) if question.kind in ("next", "cell") else []
    pairs, value = {move[:2] for move in moves}, question.right.value
    rank = question.about[1][0] if question.about else 0
    found = set()
    if question.kind == "next" and question.form == "place":
        [other] = value
        if {(rank, other), (other, rank)} <= pairs:
            found.add("these two exchange data in this step")
    if question.kind == "cell":
        senders = {src for src, dst, _, into in moves if (dst, into) == question.about[1]}
        if len(senders) > 1:
            found.add("a rank passes on its own data, not what it received")
    if question.kind == "idle" and value in (tuple(range(i, case[1], 2)) for i in (0, 1)):
        found.add("even and odd ranks take turns")
    if question.kind == "done":
        found |= true_orders(case)
    if question.kind == "sum":
        names = sorted(re.findall(r"x\d+", value))
        chain = f"{'(' * (len(names) - 2)}{names[0]}" + "".join(f" + {name})" for name in names[1:])
        found |= {MISCONCEPTIONS["rank order"].because} if f"{value})" == chain else set()
    if question.kind == "bytes":
        found.add("every transfer carries the whole vector")
    if question.kind == "line" and value in ("refused", "conflict"):
        found |= {MISCONCEPTIONS[name].because for name in ("lost", "doubled", "foreign")}
    return found & {reason.text for reason in question.reasons if reason.misconception}


def true_orders(case):
    """What is true of the order in which ranks are done."""
    times = facts_of(*case).done
    last = [rank for rank, time in enumerate(times) if time == max(times)]
    found = {"only the highest-numbered rank finishes last"} if last == [case[1] - 1] else set()
    if len(last) == case[1]:
        found |= {"all ranks are done in the same step"}
    first = {src for src, _, _, _ in table(recording_of(*case), 1)}
    return found | ({"whoever begins is done last"} if first <= set(last) else set())


@pytest.mark.parametrize("kind", [*SECOND_WAY, "line"])
def test_no_reason_that_is_offered_as_wrong_is_true(kind):
    for case in CASES:
        for question in asked(kind, case):
            assert not true_reasons(question, case), (title(case), question)


# A changed line, in plain Python: its rows are found by their stamps.


def changed(row, change, recording):
    """A row of one slot with the change that a question names; None where it is left out."""
    if "left out" in change:
        return None
    if "next chunk" in change:
        chunk = (row.chunk + 1) % recording.chunk_count
        return row._replace(chunk=chunk, into=chunk)
    if "next rank" in change:
        return row._replace(dst=(row.dst + 1) % recording.ranks)
    return row._replace(adds="add instead" in change)


def changed_steps(question, recording):
    """The rows of all steps after the change, slot by slot."""
    number, of, function, text = re.fullmatch(
        r"line (\d+) of (\w+)|in (\w+): (.*)", question.detail
    ).groups()
    for step in recording.steps:
        table = []
        for row, origin in zip(rows(step), step.origin.tolist(), strict=True):
            frame = step.stamps[origin][-1]
            place = frame.line - frame.source.first
            asked = frame.source.lines[place].strip() == text if text else place + 1 == int(number)
            for k in range(row.count):
                each = row._replace(chunk=row.chunk + k, into=row.into + k, count=1)
                if asked and frame.source.function == (function or of):
                    each = changed(each, question.prompt, recording)
                table += [each] if each else []
        yield table


def ended(question, case):
    """What slots hold after a changed line, or why it cannot be run."""
    recording = recording_of(*case)
    size = recording.chunk_count * (1,)
    layout = Layout(recording.nodes, recording.slots, size)
    cells = [(int(r), int(s)) for r, s in zip(*recording.precondition.nonzero(), strict=True)]
    held = begin(cells, layout)
    for table in changed_steps(question, recording):
        try:
            held = ruled(held, table, layout)
        except (ConflictError, EmptyReadError) as problem:
            return "conflict" if isinstance(problem, ConflictError) else "refused"
    return held


def outcomes(question, case):
    """All outcomes of a changed line that are true."""
    recording, held, found = recording_of(*case), ended(question, case), set()
    if isinstance(held, str):
        return {held}
    for rank, slot in zip(*map(list, recording.postcondition.nonzero()), strict=True):
        due = needed(recording, int(rank), int(slot))
        there = Counter(held[rank, slot].parts if (rank, slot) in held else ())
        if not recording.collective.exactly_once:
            there = Counter(set(there))
        found |= {"foreign"} if set(there) - due else set()
        found |= {"doubled"} if any(there[each] > 1 for each in due) else set()
        found |= {"lost"} if due - set(there) else set()
    return {"foreign"} if found == {"foreign", "lost"} else found or {"harmless"}


def needed(recording, rank, slot):
    """The contributions that a promised slot needs."""
    first, end, origin = (
        int(getattr(recording.required, name)[rank, slot]) for name in ("first", "end", "origin")
    )
    return {(r, origin) for r in range(first, end) if recording.precondition[r, origin]}


def test_what_breaks_is_what_breaks_when_plain_python_plays_the_change():
    rows_asked, found = set(), Counter()
    for case in CASES:
        for question in asked("line", case):
            rows_asked.add(case[0].title)
            check_options(question)
            assert outcomes(question, case) == {question.right.value}, (title(case), question)
            found[question.right.value] += 1
            check_marks_of_line(question, case)
    assert len(rows_asked) >= USUALLY
    assert len(found) >= 4, found


@pytest.mark.parametrize("names", [("reduce", "tree"), ("gather", "tree"), ("all_reduce", "swing")])
def test_no_question_is_about_a_line_that_a_combinator_turned_round(names):
    """What stands there as a send is executed as a reduce, or the other way."""
    facts = Facts(record(*names, ranks=8))
    stamps = [stamp for step in facts.steps for stamp in step.stamps]
    turned = {stamp[-1].line for stamp in stamps if stamp[-1].reversed}
    assert turned == {stamp[-1].line for stamp in stamps}
    assert not any(changed_line(facts, Random(seed)) for seed in range(20))


def check_marks_of_line(question, case):
    """The marked cell ends so after the change; what wrong answers say of it is not so."""
    held = ended(question, case)
    if isinstance(held, str):
        assert question.right.marks
        return
    recording = recording_of(*case)
    [mark] = question.right.marks
    there = Counter(held[mark.at].parts if mark.at in held else ())
    once = not recording.collective.exactly_once
    assert {(r, o): n for r, o, n in mark.content} == (dict.fromkeys(there, 1) if once else there)
    said = question.explanation.partition(";")[0]
    if "twice" in said or "more than once" in said:
        origin = min(o for (_, o), n in there.items() if n > 1)
        times = {n for (_, o), n in there.items() if n > 1 and o == origin}
        assert said.endswith(" twice" if times == {2} else " more than once"), (said, there)
    for option in question.options:
        if option.misconception and option.marks:
            [wrong] = option.marks
            assert wrong.at == mark.at and wrong.content != mark.content
            owners = {(rank, origin) for rank, origin, _ in wrong.content}
            needs = needed(recording, *mark.at)
            doubled = any(times > 1 for *_, times in wrong.content)
            outcome = "lost" if needs - owners else "doubled" if doubled else "harmless"
            assert outcome == option.misconception


@each("row", ROWS, row_title)
def test_no_wrong_number_is_near_the_right_one(row):
    """What is typed with three digits is right or wrong, never both."""
    facts = facts_of(row, numbers_of(row)[0])
    for step in range(1, facts.last + 1):
        question = amount_sent(facts, step, Random(0))
        if not question or not facts.recording.collective.moves_data:
            continue
        for option in question.options:
            typed = parse_size(option.text.replace(" ", ""))
            near = [abs(typed - one.value) <= 0.01 * one.value for one in question.options]
            assert [
                one for one, is_near in zip(question.options, near, strict=True) if is_near
            ] == [option]


def twice(row, ranks, **options):
    """The question after the steps on twice the ranks, and a recording on them to hold it to."""
    recording = record(row.collective, row.algorithm, ranks=ranks, **options)
    larger = record(row.collective, row.algorithm, ranks=2 * ranks, **options)
    return steps_of_twice(Facts(recording), Random(0), None), larger


@each("row", ROWS, row_title, few=12)
def test_twice_the_ranks_take_the_steps_that_a_recording_on_them_takes(row):
    """Parameters that nobody gave are those of twice the ranks, and the question names them."""
    for ranks in RANKS:
        if row.accepts(ranks) and row.accepts(2 * ranks):
            question, larger = twice(row, ranks)
            assert question is None or question.right.value == larger.counters.steps
            named = [f"{name} {value}" for name, value in larger.parameters.items()]
            assert question is None or all(text in question.prompt for text in named)


@pytest.mark.parametrize(
    ("name", "ranks", "parameters"),
    [
        ("all_gather pat", 3, {"aggregation": 1}),
        ("all_reduce torus-2d", 4, {"rows": 2}),
        ("all_reduce torus-2d", 8, {"rows": 8}),
        ("all_reduce three-level", 8, {"gpus": 4}),
        ("all_reduce sharp", 8, {"radix": 2}),
        ("broadcast knomial", 5, {"radix": 3}),
    ],
)
def test_parameters_that_were_given_are_kept_on_twice_the_ranks(name, ranks, parameters, tmp_path):
    """The default is another one there; also for another size, and read from a file."""
    row = find_row(*name.split())
    question, larger = twice(row, ranks, parameters=parameters)
    assert question.right.value == larger.counters.steps
    named = [f"{name} {value}" for name, value in larger.parameters.items()]
    assert question.prompt.endswith(f"on {2 * ranks} ranks with {' and '.join(named)}?")
    recording = record(row.collective, row.algorithm, ranks=ranks, parameters=parameters)
    usual, _ = twice(row, ranks)
    for again in (saved_and_loaded(recording, tmp_path), resized(recording, 1 << 20)):
        assert again.given == parameters
        assert steps_of_twice(Facts(again), Random(0), None).right == question.right
    default = record(row.collective, row.algorithm, ranks=ranks)
    for again in (saved_and_loaded(default, tmp_path), resized(default, 1 << 20)):
        assert again.given == {}
        assert steps_of_twice(Facts(again), Random(0), None).right == usual.right


def saved_and_loaded(recording, folder):
    save(recording, folder / "recording.json")
    return load(folder / "recording.json")


def my_all_gather(n):
    """Every rank passes on what it received."""
    rank = np.arange(n)
    for step in range(n - 1):
        # to the right
        yield send(rank, (rank + 1) % n, (rank - step) % n)


def test_own_functions_are_asked_about_and_run_again_on_twice_the_ranks():
    def on(ranks):
        return record(my_all_gather(ranks), collective="all_gather", ranks=ranks)

    kinds = {question.kind for seed in range(9) for question in questions(on(5), seed)}
    assert kinds == {"next", "bytes", "done", "line", "faster", "slow", "fewest"}
    every = [question for seed in range(9) for question in questions(on(5), seed, again=on)]
    found = {
        (question.right.value, question.step) for question in every if question.kind == "steps"
    }
    assert found == {(9, 5)}


def test_questions_are_the_same_each_time_and_spread_over_the_phases():
    recording = record("all_reduce", "ring", ranks=8)
    first, second = questions(recording), questions(record("all_reduce", "ring", ranks=8))
    assert first == second and 8 <= len(first) <= 10
    assert questions(recording, seed=1) != first
    steps = [question.step for question in first]
    assert steps == sorted(steps)
    assert {question.step > 7 for question in first if question.kind == "next"} == {False, True}


def test_there_is_no_question_where_nothing_happens_or_all_would_be_a_guess():
    assert questions(record("all_reduce", "ring", ranks=1)) == ()
    two = questions(record("broadcast", "tree", ranks=2))
    assert all(question.form != "place" for question in two)
    assert questions(record("all_reduce", "ring", ranks=1024)) == ()
    large = {question.kind for question in questions(record("all_reduce", "ring", ranks=64))}
    assert large == {"next", "bytes", "steps", "slow", "faster", "fewest"}


def test_every_misconception_is_somebodys():
    """The table has no name that no question and no item of the inventory offers."""
    known, offered = {"", *MISCONCEPTIONS}, {""}
    for seed in range(3):
        offered |= {a.misconception for each in inventory(seed).exercises for a in each.answers}
    for kind, case in product(KINDS, CASES):
        if known <= offered and not THOROUGH:
            break
        for question in asked(kind, case):
            offered |= {option.misconception for option in (*question.options, *question.reasons)}
    assert offered == known


def test_a_conflict_is_explained_by_the_transfers_that_meet():
    """Nothing is gone where the steps are stopped before they are taken."""
    pages = (questions(record("all_reduce", "double-binary-tree", ranks=8), s) for s in range(60))
    lines = [each for page in pages for each in page if each.right.value == "conflict"]
    reasons = {reason.text for each in lines for reason in each.reasons if not reason.misconception}
    assert reasons == {"several transfers of a step have one destination"}


def test_data_that_takes_the_place_of_other_data_is_not_said_to_join_it():
    """What a slot has in place of an answer, it has not "also"."""
    pages = (questions(record("all_to_all", "bruck", ranks=8), seed) for seed in range(20))
    cells = [each for page in pages for each in page if each.kind == "cell"]
    told = [option for each in cells for option in each.options if option.misconception]
    assert told and not any(" also has " in option.refutation for option in told)
