"""The page as a file: written whole or not at all, by a command that says where."""

import re

import pytest

from animations.player.page import page as html
from animations.player.page import write_page
from animations.story.compose import proved_storyboard
from animations.story.storyboard import Storyboard
from animations.story.usual import usual_board
from collectives import record
from collectives.__main__ import main
from collectives.cli.draw import default_name
from collectives.errors import BadInput


@pytest.fixture
def board() -> Storyboard:
    return proved_storyboard(record("all_reduce", "ring", ranks=4))


def test_nothing_outside_the_file_is_named(board):
    text = html(board).replace("http://www.w3.org/2000/svg", "")
    text = re.sub(r'(<script type="text/plain"[^>]*>)[^<]*', r"\1", text)  # packed in any letters
    text = re.sub(r"sha256-[\w+/]+", "", text)
    assert not re.search(r"https?:|//\w|unsafe|url\((?!#)", text)


def test_a_page_that_asks_nothing_is_small_where_its_texts_are_the_longest_too():
    board = usual_board(record("all_reduce", "short_rank", ranks=8), language="zh")
    assert len(html(board).encode()) <= 120_150


def test_a_page_takes_the_place_of_the_old_one_or_leaves_it(board, tmp_path, monkeypatch):
    path = tmp_path / "page.html"
    path.write_text("old")
    monkeypatch.setattr("collectives.files.os.replace", broken_replace)
    with pytest.raises(BadInput, match=r"page\.html: cannot be written"):
        write_page(board, path)
    assert (path.read_text(), list(tmp_path.iterdir())) == ("old", [path])
    monkeypatch.undo()
    write_page(board, path)
    assert (path.read_text(encoding="utf-8"), list(tmp_path.iterdir())) == (html(board), [path])


def broken_replace(*paths: object) -> None:
    raise OSError(28, "No space left on device")


def test_the_command_writes_it_and_names_it_last(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    for words in (["-n", "3"], ["-n", "3", "-o", "my.html"]):
        with pytest.raises(SystemExit) as ended:
            main(["page", "all-reduce", "ring", *words])
        assert ended.value.code == 0
    assert capsys.readouterr().out.split() == ["ring-all-reduce-3.html", "my.html"]
    same = (tmp_path / "my.html").read_bytes()
    assert (tmp_path / "ring-all-reduce-3.html").read_bytes() == same


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["-o", "page.pdf"], "try: page.html"),
        (["-o", "none/page.html"], "there is no folder"),
        (["-n", "257"], "try: -n 256"),
        (["--theme", "pink"], "choose from dark, light"),
    ],
)
def test_the_command_says_what_is_wrong_in_one_line(words, told, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as ended:
        main(["page", "all-reduce", "ring", *words])
    error = capsys.readouterr().err
    assert (ended.value.code, error.count("\n"), told in error) == (2, 1, True)
    assert list(tmp_path.iterdir()) == []


def test_no_name_leads_out_of_the_folder():
    steps = [record("all_reduce", "ring", ranks=2).steps[0]]
    for name, path in (("../../etc/x y", "etc-x-y-2.html"), ("…", "schedule-2.html")):
        recording = record(steps, name, collective="reduce_scatter", ranks=2)
        assert default_name(recording, ".html") == path
