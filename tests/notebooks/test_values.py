"""What public values show in a notebook: run by a kernel, looked at in a browser."""

import pytest
from lazy import lazy
from playwright.sync_api import expect

MINE = """def my_broadcast(n, root=0):
    yield collectives.send(root, (root + 1) % n)

collectives.check(my_broadcast, ranks=[3], slots=1)"""
CELLS = (
    "import collectives\nrecording = collectives.record('all_reduce', 'ring', ranks=4)",
    "recording",
    "recording.steps[0]",
    "recording.counters",
    "recording.state(2)",
    "collectives.topology('hgx-h100', 8)",
    "recording.figure(1)",
    "collectives.rank('allreduce', ranks=8, size='1MiB', topology='hgx-h100')",
    "recording.check()",
    MINE,
)


@pytest.fixture(scope="module")
def executed(places, tmp_path_factory):
    """The cells, run by a kernel of their own, and exported."""
    notebook = lazy.nbformat.v4.new_notebook(
        cells=[lazy.nbformat.v4.new_code_cell(text) for text in CELLS]
    )
    with pytest.MonkeyPatch.context() as patch:
        for name, value in places.items():
            patch.setenv(name, value)
        lazy.nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
    lazy.nbformat.validate(notebook)
    path = tmp_path_factory.mktemp("values") / "values.html"
    path.write_text(lazy.nbconvert.HTMLExporter().from_notebook_node(notebook)[0])
    return notebook, path


def data(notebook, source):
    """What the cell of this source shows, by its kind."""
    (cell,) = (cell for cell in notebook.cells if cell.source == source)
    (output,) = cell.outputs
    return output.data


def test_every_value_shows_more_than_its_line(executed):
    notebook, _ = executed
    for source in CELLS[1:-2]:
        shown = data(notebook, source)
        assert shown["text/plain"].startswith("<")
        assert {"text/html", "image/svg+xml"} & set(shown), source
    assert data(notebook, CELLS[-2])["text/plain"].startswith("<Verdict: right")
    assert "your cell, line 2" in data(notebook, CELLS[-1])["text/plain"]


def test_a_recording_can_be_stepped_through_in_the_export(executed, window):
    _, path = executed
    window.goto(path.as_uri())
    frame = window.frame_locator('iframe[title="ring all-reduce"]')
    frame.locator("[data-part=next]").click()
    expect(frame.locator("[data-part=caption]")).to_contain_text("Step 1 of 6")
    assert window.get_by_text("received by the busiest node").is_visible()
    assert window.locator("td", has_text="ring.py line").count() == 4
    drawings = window.locator('img[src^="data:image/svg+xml"]')
    assert drawings.evaluate_all("all => all.map(one => one.naturalWidth > 0)") == [True, True]
