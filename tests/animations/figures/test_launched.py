"""A launch drawn beside the model: its arrows are the messages, its bars what processes did."""

import numpy as np
import pytest
from played import launched

from animations.figures.launched import beside, draw
from collectives import record
from collectives.cost.by_name import setup_on


@pytest.fixture(scope="module")
def tree():
    found = launched(record("broadcast", "tree", ranks=4, root=1), cores=2)
    return found, beside(found, setup_on(found.machine, "dataflow"))


def test_every_message_is_an_arrow_from_its_send_to_its_arrival(tree):
    found, data = tree
    seen, model = data.measured.timing.messages, data.model.timing.messages
    for column in ("step", "src", "dst"):
        assert sorted(getattr(seen, column)) == sorted(getattr(model, column))
    assert (seen.end > seen.start).all() and (seen.start >= 0).all()
    assert seen.end.max() <= found.total == data.measured.timing.total


def test_a_process_waits_until_its_message_is_there(tree):
    _, data = tree
    seen = data.measured.timing.messages
    for row in range(len(seen)):
        waits = data.measured.idle(int(seen.dst[row]))
        assert any(np.isclose(end, seen.end[row]) for _, end in waits)
    for node in range(4):
        spans = sorted([*data.measured.busy[node], *data.measured.idle(node)])
        ends = [end for _, end in spans]
        assert np.allclose([start for start, _ in spans[1:]], ends[:-1])  # one after the other


def test_the_page_says_what_was_measured_and_how(tree):
    _, data = tree
    page = draw(data)
    words = " ".join(text.get_text() for text in page.texts).replace("\n", " ")
    assert (
        "measured (oversubscribed)" in words and "Oversubscribed: 4 processes on 2 cores" in words
    )
    assert "one clock, that of their machine" in words and "measured by ping-pong" in words
    left, right = page.axes
    names = [text.get_text() for text in left.get_yticklabels()]
    assert names == [f"rank {k}" for k in range(4)]
    for axes, name in ((left, "measured"), (right, "dataflow")):
        marked = [str(child.get_gid()) for child in axes.get_children()]
        assert len([gid for gid in marked if gid.startswith(f"{name}-message-")]) == 3
    alike = left.get_xlim() == right.get_xlim()
    assert alike != any("at its own scale" in text.get_text() for text in page.texts)


def test_clocks_of_several_machines_are_said_to_differ():
    found = launched(record("all_reduce", "ring", ranks=2))
    found.infos[1] = found.infos[1] | {"machine": "other", "within": 2.5e-6}
    page = draw(beside(found, setup_on("hgx-h100", "lockstep")))
    words = " ".join(text.get_text() for text in page.texts).replace("\n", " ")
    assert (
        "Clocks are set by messages to rank 0 and back, to within 2.5\N{NO-BREAK SPACE}µs" in words
    )
    assert "hgx-h100" in words and "ping-pong" not in words
