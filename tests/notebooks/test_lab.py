"""Stepper and lectures in a real JupyterLab: live, saved and opened without a kernel, exported."""

import io
import json
import re
import urllib.request

import pytest
from lazy import lazy
from PIL import Image, ImageColor
from playwright.sync_api import expect

from animations.drawing.theme import DARK
from animations.notebook.stepper import Stepper
from animations.story.usual import usual_board
from collectives import record

CELLS = (
    "from animations import Stepper\nstepper = Stepper('all_reduce', 'ring', ranks=8)\nstepper",
    "stepper.step",
    "stepper.step = 5",
    "stepper.step = 0",
)
OWN = """def ring_all_gather(n):
    rank = np.arange(n)
    for step in range(n - 1):
        yield send(rank, (rank + 1) % n, (rank - step) % n)  # a student's answer


exercise = Exercise("ring all-gather")
exercise.check(ring_all_gather)"""
RIGHT = "ring_all_gather: right in all 16 cases"
CAPTION = ".collectives [data-part=caption]"
TABS = {
    "one.ipynb": "'broadcast', 'tree', ranks=16",
    "two.ipynb": "'all_to_all', 'pairwise', ranks=12",
}
ASKED = (
    "asked = Stepper('all_reduce', 'ring', ranks=4, ask=True)\nasked",
    "asked.step, [answer['right'] for answer in asked.answers]",
    """import numpy as np
from collectives import send
OFF = 0
%load_ext animations""",
    """%%algorithm -n 4
def mine_all_gather(n):
    rank = np.arange(n)
    for step in range(n - 1):
        yield send(rank, (rank + 1) % n, (rank - OFF) % n)""",
)
ACTIVE = re.compile("jp-mod-active")
LIMIT = 126_000


def cell(page, number):
    return page.locator(".jp-CodeCell").nth(number)


def run(page, number):
    """Run a cell and wait until it has run."""
    before = cell(page, number).locator(".jp-InputArea-prompt").text_content()
    cell(page, number).locator(".cm-content").click()
    page.keyboard.press("Control+Enter")
    prompt = cell(page, number).locator(".jp-InputArea-prompt")
    page.wait_for_function(
        "([prompt, before]) => /\\d/.test(prompt.textContent) && prompt.textContent !== before",
        arg=[prompt.element_handle(), before],
    )


def says(page, number, text):
    """Run a cell until that is its output: the kernel hears of quick steps one after another."""
    output = cell(page, number).locator(".jp-OutputArea-output")
    for _ in range(30):
        run(page, number)
        expect(output).to_have_text(re.compile(r"\d"))
        if output.all_text_contents() == [text]:
            return
        page.wait_for_timeout(200)
    assert output.all_text_contents() == [text]


def steps_by_key_without_labs_shortcuts(page):
    page.locator(".collectives .sheet").click(position={"x": 300, "y": 200})
    for key in ("ArrowRight", *"nabbddxxm", "ArrowRight"):
        page.keyboard.press(key)
    expect(page.locator(CAPTION)).to_contain_text("Step 3 of 14")
    assert page.locator(".jp-Cell").count() == len(CELLS)
    assert page.locator(".jp-CodeCell").count() == len(CELLS)


def keys_of_the_notebook_leave_the_picture(page, path):
    """Ctrl+S saves and Escape leaves, but not from the help; until then arrows only step."""
    page.keyboard.press("Control+s")
    saved(page, path, "Ring all-reduce, 8 ranks")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("?")
    expect(page.locator(".collectives dialog")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator(".collectives dialog")).to_be_hidden()
    expect(page.locator(".collectives :focus, .collectives:focus").first).to_be_attached()
    page.keyboard.press("ArrowLeft")
    expect(page.locator(CAPTION)).to_contain_text("Step 2 of 14")
    expect(page.locator(".jp-Cell").nth(0)).to_have_class(ACTIVE)
    page.keyboard.press("Escape")
    page.keyboard.press("ArrowDown")
    expect(page.locator(".jp-Cell").nth(1)).to_have_class(ACTIVE)
    page.keyboard.press("ArrowRight")
    expect(page.locator(CAPTION)).to_contain_text("Step 2 of 14")
    page.locator(".collectives [data-part=next]").click()


def steps_both_ways(page):
    says(page, 1, "3")
    run(page, 2)
    expect(page.locator(CAPTION)).to_contain_text("Step 5 of 14")
    page.locator(".collectives [data-part=last]").click()
    says(page, 1, "14")


def controls_change_the_picture(page):
    selects, numbers = page.locator(".widget-dropdown select"), page.locator(".widget-text input")
    selects.nth(0).select_option("broadcast")
    expect(page.locator(CAPTION)).to_contain_text("Every GPU needs the weights")
    expect(page.locator(".collectives h1")).to_have_text("Ring broadcast")
    numbers.nth(1).fill("9")
    numbers.nth(1).press("Enter")
    problem = page.locator(".collectives-problem")
    expect(problem).to_have_text("root 9 of 8 ranks; the ranks are 0 to 7")
    expect(page.locator(CAPTION)).to_have_count(0)
    numbers.nth(1).fill("1")
    numbers.nth(1).press("Enter")
    subtitle = page.locator(".collectives [data-part=subtitle]")
    expect(subtitle).to_contain_text("root 1")
    selects.nth(1).select_option("tree")
    expect(page.locator(".collectives h1")).to_have_text("Tree broadcast")
    numbers.nth(0).fill("6")
    numbers.nth(0).press("Enter")
    expect(subtitle).to_contain_text("6 ranks")
    expect(problem).to_be_hidden()
    expect(page.locator("iframe[data-saved]")).to_be_hidden()


def save(page, path, shown):
    """Save, as people do, and give the size of the file."""
    page.locator(".jp-Toolbar").get_by_role("button", name="Save").click()
    return saved(page, path, shown)


def saved(page, path, shown):
    """The size of the saved file, once it has what is shown."""
    for _ in range(300):
        text = path.read_text()  # empty while it is being written
        if text.rstrip().endswith("}") and shown in text:
            return path.stat().st_size
        page.wait_for_timeout(100)
    return pytest.fail("the notebook was not saved")


def shut_down(address):
    with urllib.request.urlopen(f"{address}/api/kernels") as kernels:
        for kernel in json.load(kernels):
            request = urllib.request.Request(f"{address}/api/kernels/{kernel['id']}")
            request.method = "DELETE"
            urllib.request.urlopen(request).close()


def controls_say_that_no_kernel_listens(page):
    """Gray, without effect, and with a sentence."""
    controls = page.locator(".collectives-controls")
    expect(controls.locator("> *").first).to_have_css("pointer-events", "none")
    expect(controls.locator("> *").first).to_have_css("opacity", "0.4")
    said = controls.evaluate("(it) => getComputedStyle(it, '::before').content")
    assert "No kernel listens" in said


def controls_of_a_dead_kernel_look_dead(page, address):
    """After a restart and after a shutdown; after the cell has run again they are alive."""
    page.locator("[data-command='notebook:restart-kernel']").first.click()
    page.locator(".jp-Dialog .jp-mod-accept").click()
    controls_say_that_no_kernel_listens(page)
    page.get_by_text("| Idle").wait_for()
    cell(page, 0).locator(".cm-content").click()
    page.keyboard.press("Control+Enter")
    first = page.locator(".collectives-controls > *").first
    expect(first).to_have_css("pointer-events", "auto")
    expect(first).to_have_css("opacity", "1")
    shut_down(address)
    controls_say_that_no_kernel_listens(page)


def steps_without_a_kernel(page, top):
    """The saved page: as last chosen, and the only one that is seen."""
    frame = page.frame_locator("iframe[data-saved]")
    expect(frame.locator("h1")).to_have_text("Tree broadcast")
    frame.locator("[data-part=next]").click()
    page.keyboard.press("ArrowRight")
    expect(frame.locator("[data-part=caption]")).to_contain_text("Step 2 of 3")
    assert frame.locator(".card").count() == 6
    assert "model not found" not in page.locator(top).inner_text()


def exported(path):
    page = path.with_suffix(".html")
    page.write_text(lazy.nbconvert.HTMLExporter().from_filename(str(path))[0], "utf-8")
    return page


def written(path, *cells):
    """A notebook of cells of code, or of finished cells."""
    made = [
        lazy.nbformat.v4.new_code_cell(cell) if isinstance(cell, str) else cell for cell in cells
    ]
    notebook = lazy.nbformat.v4.new_notebook(cells=made)
    notebook.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3 (ipykernel)"}
    lazy.nbformat.write(notebook, path)
    return path


def test_a_stepper_lives_in_jupyterlab_and_without(lab, tab, window):
    address, folder = lab
    path = written(folder / "steppers.ipynb", *CELLS)
    empty = path.stat().st_size

    page = tab(path.name)
    run(page, 0)
    expect(page.locator(CAPTION)).to_contain_text(
        "All GPUs need the sum of their gradients: 14 steps"
    )
    steps_by_key_without_labs_shortcuts(page)
    keys_of_the_notebook_leave_the_picture(page, path)
    steps_both_ways(page)
    controls_change_the_picture(page)
    assert save(page, path, "Tree broadcast, 6 ranks") - empty <= LIMIT
    controls_of_a_dead_kernel_look_dead(page, address)

    page = tab(path.name)
    steps_without_a_kernel(page, ".jp-Notebook")

    window.emulate_media(reduced_motion="reduce")
    window.goto(exported(path).as_uri())
    steps_without_a_kernel(window, "body")


def answers_by_keys_in_the_notebook(page):
    """Keys that answer a question are no shortcuts of the lab; the kernel hears of the answer."""
    run(page, 1)
    asked = usual_board(record("all_reduce", "ring", ranks=4), asks=True).questions
    panel, caption = (
        cell(page, 1).locator(f"[data-part={part}]") for part in ("question", "caption")
    )
    sheet = cell(page, 1).locator(".sheet")
    sheet.click(position={"x": 20, "y": 20})
    page.keyboard.press("End")
    expect(panel.locator("h2")).to_have_text(asked[0].prompt)
    expect(caption).to_contain_text("locked until you answer")
    says(page, 2, f"({asked[0].step - 1}, [])")
    sheet.click(position={"x": 20, "y": 20})
    for key in ("abcd"[asked[0].options.index(asked[0].right)], "1", "Enter"):
        page.keyboard.press(key)
    expect(panel.locator("h2")).to_contain_text("Right")
    for key in ("Enter", "End"):
        page.keyboard.press(key)
    says(page, 2, f"({asked[1].step - 1}, [True])")
    expect(panel.locator("h2")).to_have_text(asked[1].prompt)
    assert page.locator(".jp-CodeCell").count() == 1 + len(ASKED)


def edits_an_algorithm_in_the_notebook(page):
    """A wrong schedule is drawn and said to be wrong; edited and run again, it is right."""
    run(page, 3)
    run(page, 4)
    band = cell(page, 4).locator("[data-part=band]")
    expect(band).to_be_visible()
    expect(cell(page, 4).locator("[data-part=caption]")).to_contain_text("missing")
    cell(page, 4).locator(".cm-content").click()
    for key in ("Control+End", *["ArrowLeft"] * 6, *["Shift+ArrowLeft"] * 3):
        page.keyboard.press(key)
    page.keyboard.type("step")
    run(page, 4)
    expect(band).to_be_hidden()
    expect(cell(page, 4).locator(".collectives h1")).to_have_text("Mine all-gather")


def test_steppers_in_two_tabs_have_their_own_hatches(lab, tab):
    """Those of the tab in front would be of the hidden one, which draws nothing."""
    _, folder = lab
    for name, words in TABS.items():
        more = ASKED if name == "one.ipynb" else ()
        written(folder / name, f"from animations import Stepper\nStepper({words})", *more)
    page = tab("one.ipynb")
    run(page, 0)
    expect(page.locator(".collectives h1")).to_have_text("Tree broadcast")
    answers_by_keys_in_the_notebook(page)
    edits_an_algorithm_in_the_notebook(page)
    page.locator(".jp-DirListing-item", has_text="two.ipynb").dblclick()
    second = page.locator(".jp-NotebookPanel:not(.lm-mod-hidden)", has_text="pairwise")
    second.locator(".jp-Notebook-ExecutionIndicator[data-status='idle']").wait_for()
    dialog = page.locator(".jp-Dialog .jp-mod-accept")  # asks for a kernel while one is starting
    page.add_locator_handler(dialog, lambda: dialog.click())
    prompt = second.locator(".jp-InputArea-prompt").first
    while not re.search(r"[*\d]", prompt.text_content()):  # until its kernel takes cells
        second.locator(".cm-content").first.click()
        page.keyboard.press("Control+Enter")
        page.wait_for_timeout(500)
    expect(second.locator("h1")).to_have_text("Pairwise all-to-all", timeout=120_000)
    page.remove_locator_handler(dialog)
    hatched = second.locator(".legend .stripe[data-rank='9']").first
    with Image.open(io.BytesIO(hatched.screenshot())) as image:
        colors = [color for _, color in image.convert("RGB").getcolors(100_000)]
    assert ImageColor.getrgb(DARK.rank(9)) in colors


def test_a_notebook_that_is_not_trusted_shows_the_last_step(lab, tab):
    stepper = Stepper("all_reduce", "ring", ranks=8)
    output = lazy.nbformat.v4.new_output("display_data", data=stepper._frame())
    cell = lazy.nbformat.v4.new_code_cell("Stepper()", outputs=[output])
    page = tab(written(lab[1] / "foreign.ipynb", cell).name)
    still, live = page.locator(".jp-OutputArea-output img"), page.locator("iframe[data-saved]")
    expect(still).to_be_visible()
    assert still.evaluate("(image) => image.naturalWidth") > 500
    expect(page.locator(".jp-OutputArea-output p")).to_contain_text("choose Trust Notebook")
    expect(live).to_have_count(0)
    page.keyboard.press("Control+Shift+C")
    page.locator(".lm-CommandPalette-input").fill("Trust Notebook")
    page.locator(".lm-CommandPalette-item", has_text="Trust Notebook").first.click()
    page.locator(".jp-Dialog .jp-mod-accept").click()
    expect(live).to_be_visible()
    expect(still).to_be_hidden()


def solutions_open_on_demand(page):
    """Behind three hints, one in the other, each closed at first."""
    hints = page.locator("details", has=page.get_by_text("Hint 1 of 3", exact=True))
    expect(hints).to_have_count(2)
    for number, part in enumerate(("(rank - step) % n", "(rank - step - 1) % n")):
        shown = hints.nth(number).locator("pre")
        for label in ("Hint 1 of 3", "Hint 2 of 3", "Hint 3 of 3", "Solution"):
            expect(shown).to_be_hidden()
            hints.nth(number).get_by_text(label, exact=True).click()
        expect(shown).to_be_visible()
        expect(shown).to_contain_text(part)


def lines_are_moved_and_judged(page):
    """A line goes down by its button; what is ordered so far is run and judged."""
    lines = page.locator(".jp-OutputArea-output", has=page.get_by_title("Run these lines"))
    rows = lines.first.locator("pre")
    above = rows.nth(1).text_content()
    lines.first.get_by_title("Move line 1 down").click()
    expect(rows.nth(2)).to_have_text(above)
    expect(lines.first.get_by_title("Move line 2 down")).to_be_focused()  # to move it on
    page.keyboard.press("Enter")
    expect(rows.nth(3)).to_have_text(above)
    lines.first.get_by_title("Run these lines").click()
    expect(lines.first.locator("[role=status]")).to_contain_text("lines")


def students_copy(path):
    """Lecture 1 with an answer to its first exercise; its last cell says whose is left."""
    notebook = lazy.nbformat.read(path, as_version=4)
    exercise = next(cell for cell in notebook.cells if "exercise" in cell.metadata.get("tags", []))
    exercise.source = OWN
    last = lazy.nbformat.v4.new_code_cell("'student' in code_of(ring_all_gather).text")
    notebook.cells.append(last)
    own = path.with_name("student.ipynb")
    lazy.nbformat.write(notebook, own)
    return own


def test_run_all_keeps_what_a_student_wrote(lab, tab, window):
    path = students_copy(lab[1] / "02_ring.ipynb")
    page = tab(path.name)
    page.get_by_role("menuitem", name="Run", exact=True).click()
    page.get_by_role("menuitem", name="Run All Cells", exact=True).click()
    expect(page.locator(".jp-CodeCell").last).to_contain_text("True", timeout=120_000)
    expect(page.locator(".jp-OutputArea-output", has_text=RIGHT)).to_have_count(1)
    expect(
        page.locator(".jp-OutputArea-output", has_text="chunk 0 of rank 1 is missing")
    ).to_have_count(1)
    solutions_open_on_demand(page)
    lines_are_moved_and_judged(page)
    save(page, path, RIGHT)

    window.goto(exported(path).as_uri())
    assert RIGHT in window.locator("body").inner_text()
    solutions_open_on_demand(window)
    expect(window.get_by_text("Put these lines in order: run the cell").first).to_be_visible()
