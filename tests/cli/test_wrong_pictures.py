"""A wrong schedule is drawn: the file is written, the diagnosis is on stderr, the status 1."""

import re

import pytest

MINE = '''
from collectives import reduce, send


def twice_reduce(n, root=0):
    """Adds in a chain, the last one again."""
    for rank in range(n - 1, 0, -1):
        # one rank adds its sum into the one before
        yield reduce(rank, rank - 1)
    yield reduce(1, 0)


def breaking_broadcast(n, root=0):
    """Fails in its second step."""
    yield send(root, 1)
    yield send(root, n)


def no_broadcast(n, root=0):
    """Is no schedule."""
    return 5
'''


@pytest.fixture
def drawn(collectives, folder):
    (folder / "mine.py").write_text(MINE)

    def call(line):
        return collectives(line)

    return call


@pytest.mark.parametrize(
    ("name", "said", "band"),
    [
        ("twice_reduce", "It goes wrong in step 4 (mine.py line 10): ", "goes wrong in step 4"),
        ("breaking_broadcast", "step 2 (mine.py line 16): node 4 does", "step 2 cannot be"),
    ],
)
def test_a_wrong_schedule_is_drawn_and_ends_with_1(drawn, folder, name, said, band):
    for verb, file in (("page", "wrong.html"), ("figure picture", "wrong.svg")):
        ended = drawn(f"{verb} mine.py:{name} --slots 1 -o {file}")
        assert (ended.status, ended.out) == (1, f"{file}\n")
        assert ended.err.startswith(f"collectives: {name} on 4 ranks, root 0: ")
        assert said in ended.err and ended.err.count("\n") == 1
        assert (folder / file).stat().st_size > 10_000
    assert f"<title>Wrong: {name}, 4 ranks</title>" in (folder / "wrong.html").read_text("utf-8")
    text = (folder / "wrong.svg").read_text("utf-8")
    assert re.search('id="wrong-0"', text) or name == "breaking_broadcast"


def test_the_diagnosis_is_that_of_check(drawn):
    page, checked = (
        drawn(f"{verb} mine.py:twice_reduce --slots 1 -n 3") for verb in ("page", "check")
    )
    assert page.err.rstrip("\n") in checked.err


def test_where_nothing_could_be_recorded_nothing_is_drawn(drawn, folder):
    ended = drawn("page mine.py:no_broadcast -o wrong.html")
    assert (ended.status, ended.out) == (1, "")
    assert ended.err == (
        "collectives: no_broadcast on 4 ranks, root 0: it returned 5; it must yield steps\n"
    )
    assert not (folder / "wrong.html").exists()


def test_one_step_of_a_wrong_schedule(drawn):
    ended = drawn("figure picture mine.py:twice_reduce --slots 1 -o wrong.svg --step 5")
    assert ended.status == 2
    assert ended.err == "collectives: --step 5: Twice reduce has 4 steps; try: 4\n"


def test_a_wrong_one_among_others_marks_the_catalog(drawn, folder):
    ended = drawn(
        "page mine.py:twice_reduce --slots 1 --also mine.py:breaking_broadcast -o all.html"
    )
    assert ended.status == 1 and "twice_reduce" in ended.err
    text = (folder / "all.html").read_text("utf-8")
    assert '"twice_reduce (wrong)"' in text and '"broadcast"' in text
