"""The editor of a page: code is changed and run there, judged, drawn, tried on 1 to 17 ranks."""

import re
import shutil
import time

import pytest
from axe import violations
from playwright.sync_api import Page, expect

from animations.player.pack import interpreter
from animations.player.pack.editor import editing_of_own, editing_of_row
from animations.player.page import page as html
from animations.story.usual import usual_board
from collectives import record
from collectives.__main__ import main
from collectives.catalog import find_row
from collectives.errors import BadInput, NotInstalled
from collectives.proof.own_algorithm import OwnAlgorithm

ROW = find_row("all_reduce", "ring")
EDITING = editing_of_row(ROW, ROW.setting(4))
MOST_MORE = 350_000  # bytes of a page with an editor beside one without
SLOW_START = """() => { const post = Worker.prototype.postMessage;
Worker.prototype.postMessage = function (told) {
  setTimeout(() => post.call(this, told), "program" in told ? 800 : 0);
}; }"""
BUILT = "() => document.querySelector('#player').collectives.store.state.built"
STEP = "() => document.querySelector('#player').collectives.store.state.step"
ENDLESS = "def ring_all_reduce(n):\n    while True:\n        pass\n    yield n\n"
HOSTILE = """from collectives import send
import js

def ring_all_reduce(n):
    yield send(0, 1)
    js.fetch("https://example.org/<img src=x onerror=alert(1)>")
"""


@pytest.fixture(scope="module")
def board():
    return usual_board(record("all_reduce", "ring", ranks=4))


@pytest.fixture
def editor(open_page, board) -> Page:
    """The page of a ring on 4 ranks, from a file, with its editor open."""
    page = open_page(board, step=0, editing=EDITING)
    page.get_by_role("button", name="Edit the code").click()
    return page


def code(page: Page):
    return page.get_by_role("textbox", name="Code of the schedule")


def write(page: Page, old: str, new: str) -> None:
    text = code(page).input_value()
    assert old in text
    code(page).fill(text.replace(old, new, 1))


def run_endless_and_then_right(page: Page) -> None:
    """Begins a run that never ends, and while it runs the one of the page's own code."""
    text = code(page).input_value()
    for changed in (ENDLESS, text):
        code(page).fill(changed)
        code(page).press("Control+Enter")
    expect(verdict(page)).to_have_text("Right on 4 ranks.")


def until_workers(page: Page, count: int) -> None:
    """Waits for as many workers: the end of one is told some time later."""
    given_up = time.monotonic() + 10
    while len(page.workers) != count:
        assert time.monotonic() < given_up, page.workers
        page.wait_for_timeout(20)


def marked(page: Page) -> str:
    """The line of the code that is marked."""
    line = int(page.locator(".gutter .bad").inner_text())
    return code(page).input_value().split("\n")[line - 1]


def verdict(page: Page):
    return page.locator(".editor .verdict")


def test_the_code_runs_as_it_is_and_is_right_on_all_numbers_of_ranks(editor):
    editor.get_by_role("button", name="Run").click()
    expect(verdict(editor)).to_have_text("Right on 4 ranks.")
    expect(editor.locator(".sweep")).to_have_text(
        "Right on every number of ranks that it takes from 1 to 17."
    )
    assert editor.locator(".strip .holds").count() == 17
    steps = editor.evaluate(BUILT)["steps"]
    assert [len(step) for step in steps] == [4] * 6
    expect(editor.locator("[data-part=caption]")).to_contain_text("Right, in 6 steps")


def test_a_changed_line_is_judged_and_drawn_at_its_first_wrong_step(editor):
    write(editor, "right = (rank + 1) % n", "right = (rank + 2) % n")
    code(editor).press("Control+Enter")
    expect(verdict(editor)).to_have_text(re.compile(r"Wrong on 4 ranks in step \d+\."))
    step = int(re.search(r"step (\d+)", verdict(editor).inner_text())[1])
    assert editor.evaluate(BUILT)["at"] == step - 1
    red = editor.evaluate("() => getComputedStyle(document.querySelector('.verdict')).color")
    arrows = editor.locator(".arrow.faulty")
    assert arrows.count() == 4
    drawn = arrows.first.evaluate("arrow => getComputedStyle(arrow).stroke")
    assert drawn == red != editor.evaluate("() => getComputedStyle(document.body).color")
    assert "(rank + 2)" in marked(editor)
    expect(editor.locator(".sweep")).to_contain_text("It fails first on 2 ranks.")


def test_the_first_changed_line_and_the_first_other_step_are_told_apart_from_the_last_copy_lost(
    editor,
):
    write(editor, "(rank - step - 1)", "(rank - step)")
    code(editor).press("Control+Enter")
    expect(verdict(editor)).to_have_text(
        "Wrong on 4 ranks in step 6. After that step nothing can put it right. The first changed "
        "line is 10; from step 1 on the transfers are not the algorithm's own."
    )
    assert "(rank - step)" in marked(editor)
    write(editor, "import numpy", "import math\nimport numpy")
    code(editor).press("Control+Enter")
    expect(verdict(editor)).to_contain_text("The first changed line is")
    assert "(rank - step)" in marked(editor), "it sent what is other, below the first changed line"
    goal = "Goal: Every rank ends with the sum over all ranks."
    expect(editor.locator("[data-part=subtitle]")).to_have_text(goal)


def test_no_promise_is_said_to_be_kept_under_code_that_makes_no_schedule(open_page, board):
    page = open_page(board, step=len(board.frames), editing=EDITING)
    note = page.locator("[data-part=note]")
    expect(note).to_contain_text(board.ending)
    page.get_by_role("button", name="Edit the code").click()
    write(page, "def ", "dif ")
    code(page).press("Control+Enter")
    expect(note).to_have_text("The code made no schedule: this is the one the page began with.")
    page.get_by_role("button", name="Revert").click()
    expect(note).to_contain_text(board.ending)


def test_reverting_brings_back_the_code_and_the_page(editor):
    text = code(editor).input_value()
    code(editor).fill("nothing")
    code(editor).press("Control+Enter")
    expect(verdict(editor)).to_contain_text("line 1")
    editor.get_by_role("button", name="Revert").click()
    assert code(editor).input_value() == text == EDITING.text
    assert verdict(editor).inner_text() == ""
    assert editor.evaluate(BUILT) is None


def test_what_was_written_is_saved_as_a_file_that_check_reads(editor, tmp_path, capsys):
    write(editor, "# every rank sends", "# each rank sends")
    with editor.expect_download() as saved:
        editor.get_by_role("button", name="Save as mine.py").click()
    path = tmp_path / saved.value.suggested_filename
    saved.value.save_as(path)
    assert (path.name, path.read_text("utf-8")) == ("mine.py", code(editor).input_value())
    with pytest.raises(SystemExit) as ended:
        main(["check", f"{path}:ring_all_reduce", "-n", "1-5"])
    assert (ended.value.code, "right in all" in capsys.readouterr().out) == (0, True)


def test_what_never_ends_is_ended_after_two_seconds_and_said(editor):
    code(editor).fill(ENDLESS)
    begun = time.monotonic()
    editor.get_by_role("button", name="Run").click()
    text = "Stopped on 4 ranks: no schedule after 2 seconds. Does it ever end?"
    expect(verdict(editor)).to_have_text(text)
    assert time.monotonic() - begun > 1.8
    until_workers(editor, 0)
    editor.get_by_role("button", name="Revert").click()
    editor.get_by_role("button", name="Run").click()
    expect(verdict(editor)).to_have_text("Right on 4 ranks.")


def test_a_run_takes_the_place_of_the_one_before(editor):
    run_endless_and_then_right(editor)
    editor.wait_for_timeout(2300)  # after which the first would be given up
    expect(verdict(editor)).to_have_text("Right on 4 ranks.")
    until_workers(editor, 1)


def test_of_two_runs_before_python_has_started_the_second_stays(open_page, board):
    editor = open_page(board, step=0, editing=EDITING)
    begun: list[str] = []
    editor.on("worker", lambda worker: begun.append(worker.url))
    editor.evaluate(SLOW_START)
    editor.get_by_role("button", name="Edit the code").click()
    run_endless_and_then_right(editor)
    editor.wait_for_timeout(2300)  # after which the first would be given up
    until_workers(editor, 1)
    assert [worker.url for worker in editor.workers] == begun[1:]


def test_what_it_raises_is_said_with_its_line_and_what_it_has_made_is_drawn(editor):
    code(editor).fill(
        "import numpy as np\nfrom collectives import send\n\n\n"
        "def ring_all_reduce(n):\n    yield send(0, 1)\n    yield send(np.hypot(n), 1)\n"
    )
    code(editor).press("Control+Enter")
    text = re.compile(r"On 4 ranks, step 2, line 7: AttributeError: np\.hypot")
    expect(verdict(editor)).to_have_text(text)
    assert editor.locator(".gutter .bad").inner_text().strip() == "7"
    assert editor.evaluate(BUILT)["steps"] == [[[0, 1, 0, 0, 0]]]


def test_a_transfer_to_nowhere_is_wrong_in_its_step(editor):
    write(editor, "yield reduce(rank, right, chunk)", "yield reduce(rank, rank + 1, chunk)")
    code(editor).press("Control+Enter")
    expect(verdict(editor)).to_contain_text("Wrong on 4 ranks in step 1. The first changed line")
    assert editor.locator(".arrow.faulty").count() == 3  # the fourth goes to rank 4


def test_the_slider_tells_each_number_of_ranks_by_keys_alone(editor):
    write(editor, "range(n - 1)", "range(min(n - 1, 4))")
    code(editor).press("Control+Enter")
    expect(editor.locator(".sweep")).to_contain_text("It fails first on 6 ranks.")
    expect(editor.locator(".strip .fails")).to_have_count(12)
    slider = editor.get_by_role("slider", name="Ranks")
    assert slider.input_value() == "4"
    slider.focus()
    editor.keyboard.press("ArrowRight")
    expect(editor.locator(".chosen")).to_have_text("Right on 5 ranks.")
    editor.keyboard.press("ArrowRight")
    expect(editor.locator(".chosen")).to_have_text(re.compile(r"Wrong on 6 ranks"))
    assert slider.get_attribute("aria-valuetext").startswith("Wrong on 6 ranks")


def test_keys_in_the_code_are_letters_and_e_opens_and_closes(open_page, board):
    page = open_page(board, step=2, editing=EDITING)
    page.keyboard.press("e")
    expect(code(page)).to_be_focused()
    code(page).press("Home")
    page.keyboard.type("nbdx ")
    page.keyboard.press("Enter")
    assert page.evaluate(STEP) == 2
    assert "nbdx \n" in code(page).input_value()
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="Run")).to_be_focused()


def test_nothing_reaches_out_of_the_worker(editor):
    """What asks for anything would be in the trouble of the page, as would an alert's error."""
    code(editor).fill(HOSTILE)
    code(editor).press("Control+Enter")
    expect(verdict(editor)).to_contain_text("reaches nothing outside")
    assert editor.locator("img").count() == 0
    scripts = editor.evaluate("() => [...document.scripts].map(each => each.src)")
    assert set(scripts) == {""}


def test_it_runs_in_a_sandboxed_frame(window, board, tmp_path):
    text = html(board, editing=EDITING)
    outer = tmp_path / "outer.html"
    quoted = text.replace("&", "&amp;").replace('"', "&quot;")
    outer.write_text(f'<iframe sandbox="allow-scripts" srcdoc="{quoted}" width=1200 height=700>')
    window.goto(outer.as_uri())
    frame = window.frame_locator("iframe")
    frame.get_by_role("button", name="Edit the code").click()
    frame.get_by_role("button", name="Run").click()
    expect(frame.locator(".editor .verdict")).to_have_text("Right on 4 ranks.")


@pytest.mark.parametrize("width", [320, 820])
def test_on_phones_and_tablets_nothing_lies_beside_the_window(open_page, board, width):
    page = open_page(board, step=0, size=(width, 800), editing=EDITING)
    page.keyboard.press("e")
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    lines = page.locator(".gutter span").count()
    assert lines == EDITING.text.count("\n") + 1
    page.get_by_role("button", name="Run").click()
    expect(verdict(page)).to_have_text("Right on 4 ranks.")


def test_axe_finds_nothing(editor):
    write(editor, "rank + 1", "rank + 2")
    code(editor).press("Control+Enter")
    expect(editor.locator(".sweep")).to_contain_text("It fails first")
    assert violations(editor, {"editor": []}) == {}


def test_the_policy_grows_only_where_the_editor_is(board):
    without, with_it = (html(board, editing=each) for each in (None, EDITING))
    policies = [re.search(r'Policy" content="([^"]*)"', text)[1] for text in (without, with_it)]
    assert "wasm" not in policies[0]
    assert "worker-src" not in policies[0]
    assert "'wasm-unsafe-eval'" in policies[1]
    assert "worker-src blob:;" in policies[1]
    assert not any("'unsafe-eval'" in policy for policy in policies)
    assert len(with_it) - len(without) < MOST_MORE


def test_without_its_package_the_command_that_brings_it_is_named(monkeypatch, tmp_path):
    shutil.copy(interpreter.RECORD, tmp_path)
    monkeypatch.setattr(interpreter, "FOLDER", tmp_path)
    interpreter.interpreter.cache_clear()
    with pytest.raises(NotInstalled, match="npm pack @micropython/") as problem:
        interpreter.interpreter()
    assert problem.value.status == 3
    next_to_it = tmp_path / next(interpreter.RECORD.parent.glob("*.tgz")).name
    next_to_it.write_bytes(b"another")
    with pytest.raises(NotInstalled, match="is another one"):
        interpreter.interpreter()
    monkeypatch.undo()
    interpreter.interpreter.cache_clear()


OWN = """import numpy as np

from collectives import reduce, send


def unused(n):
    return n


def mine_all_reduce(n, shift=1):
    '''Adds up.

    More.
    '''
    rank = np.arange(1, n)
    # all report to rank 0
    yield reduce(rank, 0 * rank)
    # rank 0 tells them
    yield send(0, rank)
"""


def test_the_command_takes_a_function_of_a_file(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text(OWN)
    words = ["page", "mine.py:mine_all_reduce", "--slots", "1", "-n", "4", "--edit"]
    with pytest.raises(SystemExit) as ended:
        main([*words, "-o", "a.html"])
    assert (ended.value.code, capsys.readouterr().out) == (0, "a.html\n")
    assert "'wasm-unsafe-eval'" in (tmp_path / "a.html").read_text()


def test_the_editor_begins_with_what_the_function_needs():
    space: dict[str, object] = {}
    exec(OWN, space)
    editing = editing_of_own(OwnAlgorithm(space["mine_all_reduce"], slots=1), OWN, 4, 0)
    assert "unused" not in editing.text
    assert "'''Adds up.\"\"\"" not in editing.text
    assert "More" not in editing.text
    assert [trial.ranks for trial in editing.trials] == list(range(1, 18))
    assert editing.trials[3].arguments == {"n": 4}
    compile(editing.text, "mine.py", "exec")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["all-reduce", "ring", "--also", "tree"], "leave --also out"),
        (["all-reduce", "ring", "--ask"], "leave --ask out"),
        (["all-reduce", "ring", "-n", "128"], "try: -n 8"),
        (
            ["all-reduce", "hierarchical", "-n", "8", "-p", "outside=doubling"],
            "is put together of parts here, which a page cannot pass on; leave -p inside and -p",
        ),
        (["ring.json"], "holds steps and no code; try: collectives page all-reduce ring --edit"),
        (["collectives.algorithms.ring:ring_all_reduce"], "is a module; try: its file"),
        (["one.py:alone_all_reduce"], "is the program of one rank; leave it out"),
    ],
)
def test_what_has_no_code_to_edit_is_refused_in_one_line(
    words, told, tmp_path, monkeypatch, capsys
):
    monkeypatch.chdir(tmp_path)
    record("all_reduce", "ring", ranks=4).save("ring.json")
    (tmp_path / "one.py").write_text(
        "from collectives.schedule.spmd import Recv, Send\n\n"
        "def alone_all_reduce(rank, n):\n    yield from ()\n"
    )
    with pytest.raises(SystemExit) as ended:
        main(["page", *words, "--edit"])
    error = capsys.readouterr().err
    assert (ended.value.code, error.count("\n"), told in error) == (2, 1, True), error
    assert not list(tmp_path.glob("*.html"))


def test_a_function_that_the_file_does_not_have_is_named():
    with pytest.raises(BadInput, match="did you mean mine_all_reduce"):
        editing_of_own(OwnAlgorithm(mine_all_reduced, "all_reduce", slots=1), OWN, 4, 0)


def mine_all_reduced(n):
    yield from ()
