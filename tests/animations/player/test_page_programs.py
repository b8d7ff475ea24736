"""Program counters on a page: the line at which each rank stands, and whom it waits for."""

import pytest
from playwright.sync_api import expect

from animations.player.pack.data import story
from animations.player.page import page
from animations.story.usual import usual_board
from collectives import Deadlock, record
from collectives.proof.own_algorithm import OwnAlgorithm
from collectives.schedule.spmd import Recv, Send, idle, sendrecv


def chain_broadcast(rank, n):
    if rank:
        yield Recv(rank - 1, count=n)
    if rank < n - 1:
        yield Send(rank + 1, count=n)


def late_all_gather(rank, n):
    right, left = (rank + 1) % n, (rank - 1) % n
    yield sendrecv(Send(right, rank), Recv(left, left))
    yield idle()
    yield Send(right, left)


FIRST = chain_broadcast.__code__.co_firstlineno
RECV, SEND = f"line {FIRST + 2}", f"line {FIRST + 4}"
STEPS = [
    ["not begun"] * 4,
    [SEND, RECV, f"{RECV}, waits for 1", f"{RECV}, waits for 2"],
    ["does no more", SEND, RECV, f"{RECV}, waits for 2"],
    ["does no more", "does no more", SEND, RECV],
]


@pytest.fixture(scope="module")
def boards():
    with pytest.raises(Deadlock) as raised:
        OwnAlgorithm(late_all_gather).record(4, 0)
    return {
        "chain": usual_board(OwnAlgorithm(chain_broadcast).record(4, 0)),
        "late": usual_board(raised.value.recording),
    }


def said(board):
    found = story(board)["programs"]
    return [[found["said"][number][0] for number in state] for state in found["at"]]


def test_each_state_says_where_every_rank_stands(boards):
    assert said(boards["chain"]) == STEPS


def test_a_deadlock_is_one_more_state(boards):
    first = late_all_gather.__code__.co_firstlineno
    *_, before, last = said(boards["late"])
    assert before == [f"line {first + 2}"] * 4
    assert last == [f"line {first + 4}, waits for {(rank + 1) % 4}" for rank in range(4)]


def test_pages_without_programs_have_nothing_of_them():
    board = usual_board(record("all_reduce", "ring", ranks=4))
    assert "programs" not in story(board)
    saved = usual_board(record("broadcast", "binomial", ranks=4))
    assert "Where each program stands" not in page(saved)


def shown(tab):
    return tab.locator(".programs li span").all_text_contents()


def test_they_follow_the_player_forward_back_and_seek(open_page, boards):
    tab = open_page(boards["chain"])
    assert shown(tab) == STEPS[0]
    for key, step in [("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1), ("End", 3)]:
        tab.keyboard.press(key)
        assert shown(tab) == STEPS[step], key
    tab.evaluate("location.hash = 'step=2'")
    expect(tab.locator(".programs li span")).to_have_text(STEPS[2])
    assert tab.locator(".programs .waits").all_text_contents() == [STEPS[2][3]]
    names = tab.locator(".programs b").all_text_contents()
    assert names == [f"rank {rank}" for rank in range(4)]


def test_in_the_last_state_of_a_deadlock_all_wait(open_page, boards):
    tab = open_page(boards["late"])
    tab.keyboard.press("End")
    tab.locator("[data-part=faults] .waits").first.wait_for(state="attached")
    assert shown(tab) == said(boards["late"])[-1]
    assert tab.locator(".programs .waits").count() == 4
    assert tab.locator("[data-part=lines] .arrow").count() == 0, "nothing is lit"
    tab.keyboard.press("Home")
    assert tab.locator(".programs .waits").count() == 0


@pytest.mark.parametrize("size", [(1366, 768), (800, 900), (360, 740)])
def test_they_have_room_and_nothing_is_cut(open_page, boards, size):
    tab = open_page(boards["chain"], size=size)
    tab.keyboard.press("ArrowRight")
    assert tab.evaluate("document.documentElement.scrollWidth") <= size[0]
    panel = tab.locator(".programs").bounding_box()
    for item in tab.locator(".programs li").all():
        box = item.bounding_box()
        assert panel["y"] <= box["y"] and box["y"] + box["height"] <= panel["y"] + panel["height"]


def test_what_every_rank_does_is_said_of_every_rank():
    def ring_all_gather(rank, n):
        for step in range(n - 1):
            chunk = (rank - step) % n
            # every rank passes a chunk to its right
            yield sendrecv(Send((rank + 1) % n, chunk), Recv((rank - 1) % n, (chunk - 1) % n))

    board = usual_board(OwnAlgorithm(ring_all_gather).record(4, 0))
    assert {frame.comment for frame in board.frames} == {"every rank passes a chunk to its right"}
    assert [len(frame.standing) for frame in board.frames] == [4, 4, 4]


def test_a_deadlock_shows_the_line_at_which_a_program_waits(open_page, boards):
    tab = open_page(boards["late"])
    tab.keyboard.press("End")
    tab.locator(".code .now", has_text="yield Send(right, left)").wait_for()
    assert "rank = 0" in tab.locator(".code .variables").text_content()
    number = tab.locator(".code .now").get_attribute("data-number")
    assert tab.locator(".programs li span").first.text_content() == f"line {number}, waits for 1"
