"""`page --ask`: a page with questions, or a line that says why there are none."""

import pytest


def test_pages_that_ask_hold_back_what_follows(right, folder):
    right("page all-gather ring -n 4 --ask -o asks.html")
    right("page all-gather ring -n 4 -o plain.html")
    asks, plain = ((folder / name).read_text() for name in ("asks.html", "plain.html"))
    assert len(plain) < len(asks) < len(plain) + 4000


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ("all-reduce ring -n 1", "Ring all-reduce on 1 rank: nothing moves"),
        ("all-reduce ring -n 4", "Ring all-reduce on 4 ranks: it has too many transfers"),
    ],
)
def test_where_nothing_can_be_asked_it_is_said(collectives, folder, words, why, monkeypatch):
    monkeypatch.setattr("collectives.questions.choose.MOST_ROWS", 20)
    done = collectives(f"page {words} --ask -o none.html")
    assert done.status == 2
    assert done.err == f"collectives: --ask: nothing can be asked of {why}; nearest: -n 8\n"
    assert not (folder / "none.html").exists()
