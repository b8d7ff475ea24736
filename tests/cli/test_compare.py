"""`compare`: its times are those of `time`, bad input is one line, files are whole or absent."""

import json
import re

import pytest
from settings import sampled

from collectives.units import time_text


def compared_in(path):
    """What a page says of its algorithms."""
    index = re.search(r'id="catalog">([^<]*)', path.read_text("utf-8"))[1]
    return json.loads(index)["compared"]


REFUSED = [
    ("all-reduce", "all-reduce: name 2 to 4 algorithms; try: all-reduce ring tree"),
    ("all-reduce nvls", "all-reduce nvls: name 2 to 4 algorithms; try: all-reduce nvls ring"),
    ("all-reduce ring ring", "ring is given twice; try: ring ring:channels=2"),
    ("all-reduce tree binomial", "tree is given twice; leave one out, or choose from"),
    (
        "all-reduce ring:channels=2 ring:channels=2",
        "ring:channels=2 is given twice; try: ring:channels=2 ring\n",
    ),
    ("all-reduce ring:chanels=2 ring", "ring:chanels=2: ring all-reduce has no parameter"),
    ("all-reduce swing:x=2 ring", "swing:x=2: swing all-reduce has no parameters; try: swing"),
    ("all-reduce ring:2 ring", "ring:2: '2' must be NAME=INTEGER; try: ring:channels=2"),
    ("all-reduce ring:channels=x ring", "ring:channels=x: 'channels=x' must be NAME=INTEGER"),
    (
        "all-reduce ring:channels=3 ring",
        "ring:channels=3: must be a divisor of the number of ranks (4 ranks); try: 2",
    ),
    (
        "all-reduce ring:channels=2,channels=4 ring",
        "ring:channels=2,channels=4: channels is given twice; leave one out",
    ),
    ("all-reduce ring:channels=2 tree -p channels=4", "-p channels=4: each that takes it has"),
    ("broadcast ring:chunks=2 tree --chunks 4", "--chunks 4: each that takes it has its own"),
    ("broadcast ring:chunks=0 tree", "ring:chunks=0: chunks must be 1 or more; try: ring:chunks=1"),
    (
        "all-reduce ring tree nvls bruck swing",
        "5 algorithms: at most 4 fit side by side; try: ring tree nvls bruck",
    ),
    ("all-reduce ring trea", "unknown all-reduce algorithm 'trea'; did you mean tree?"),
    ("all-redcue ring tree", "unknown collective 'all-redcue'; did you mean all-reduce?"),
    ("send-recv ping-pong shift", "send-recv: its algorithms send different things"),
    ("all-reduce ring swing -n 7", "-n 7: swing all-reduce takes even only; try: -n 6"),
    ("all-reduce ring tree -n 1", "-n 1: nothing moves; try: -n 2"),
    (
        "all-reduce ring tree -n 65 -o out.mp4",
        "-n 65: a comparison shows 2 to 64 ranks; try: -n 64",
    ),
    ("all-reduce ring tree --size 64", "--size 64 has no unit; try: 64B"),
    ("all-reduce ring tree --root 1", "--root 1: all-reduce has no root; leave it out"),
    ("all-reduce ring tree -p radix=2", "-p radix=2: none of these algorithms takes it"),
    ("all-reduce ring tree --chunks 3", "--chunks 3: none of these algorithms is pipelined"),
    ("barrier dissemination tree --size 1KiB", "--size 1KiB: a barrier moves no data"),
    ("all-reduce ring tree -o x.gif", "-o x.gif: a comparison is written as"),
    ("all-reduce ring tree -o no/x.png", "no/x.png: there is no folder no; make it first"),
    (
        "all-reduce ring tree --at 5us",
        "--at: a picture shows one time, and none is written; try: -o FILE.png",
    ),
    (
        "all-reduce ring tree -n 8 --size 64KiB --at 5s -o x.png",
        "--at 5 s: all are done after 14.3 µs; try: --at 14.3us",
    ),
    (
        "all-reduce ring tree -n 4 --topology ring --slow-link 0-2=0.5",
        "--slow-link 0-2=0.5: ring has no link rank 0 → rank 2; try: 0-1=0.5",
    ),
    (
        "all-reduce ring tree -n 4 --topology ring --dead 0-1 --at 5s -o x.png",
        "--at 5 s: nothing moves after",
    ),
    (
        "all-reduce ring tree -n 6 --topology cluster:gpus=3 --dead 'rank 1-NIC 1' -o x.html",
        "--dead rank 1-NIC 1: no message of the ring that a page shows, 1 of 3 channels",
    ),
    ("all-reduce ring tree -n 4097 --json", "-n 4097: a comparison shows 2 to 4096 ranks"),
    ("all-reduce ring tree --clock steps", "--clock steps: unknown; did you mean lockstep?"),
]


@pytest.mark.parametrize(("line", "says"), REFUSED, ids=[line for line, _ in REFUSED])
def test_bad_input_is_one_line_and_no_file(collectives, folder, line, says):
    ended = collectives(f"compare {line}")
    assert (ended.status, ended.out) == (2, "")
    assert ended.err.startswith(f"collectives: {says}")
    assert ended.err.count("\n") == 1
    assert list(folder.iterdir()) == []


COMPARED = [
    "all-reduce ring tree -n 7 --size 1000B --topology crossbar",
    "broadcast tree ring -n 8 --size 1MiB --chunks 8 --topology hgx-h100",
    "all-reduce hierarchical ring -n 4 --size 64KiB --topology cluster:gpus=2",
]


@pytest.mark.parametrize(
    ("clock", "what"),
    sampled([(clock, what) for clock in ("dataflow", "lockstep") for what in COMPARED], 4),
)
def test_a_page_has_the_times_that_time_says(right, folder, what, clock):
    ended = right(f"compare {what} --clock {clock} -o both.html")
    assert ended.out.endswith("\nboth.html\n")
    compared = compared_in(folder / "both.html")
    words, _, options = what.partition(" -n")
    collective, *names = words.split()
    for name, seconds in zip(names, compared["seconds"], strict=True):
        taken = options if name == "ring" else options.replace("--chunks 8", "")
        told = right(f"time {collective} {name} -n{taken} --clock {clock} --json").json
        assert seconds == told["seconds"]
    first = min(zip(compared["seconds"], names, strict=True))[1]
    assert compared["sentences"][0].lower().startswith(first)


TROUBLE = {
    "slow link": "--slow-link 1-2=0.1",
    "late rank": "--late 2=80us --slow-rank 1=0.5",
    "jitter": "--jitter 3µs --seed 4",
    "dead link": "--dead 3-0",
}


@pytest.mark.parametrize(
    ("clock", "trouble"),
    sampled([(clock, each) for clock in ("dataflow", "lockstep") for each in TROUBLE.values()], 3),
)
def test_trouble_has_the_times_that_time_says_and_is_named(right, folder, trouble, clock):
    common = f"-n 4 --size 64KiB --topology ring --clock {clock}"
    right(f"compare broadcast tree ring {common} {trouble} -o both.html")
    compared = compared_in(folder / "both.html")
    assert all(part in compared["subtitle"] for part in re.findall(r"--\w\S+ \S+", trouble))
    seconds, clean = (
        [
            right(f"time broadcast {name} {common} {more} --json").json["seconds"]
            for name in ("tree", "ring")
        ]
        for more in (trouble, "")
    )
    assert compared["seconds"] == seconds
    (named,) = [text for text in compared["sentences"] if re.match(SAID, text)]
    costs = [time - plain for time, plain in zip(seconds, clean, strict=True) if time]
    texts = [time_text(cost, 3) for cost in costs if cost > 1e-9]
    assert all(text in named for text in texts) or " stops " in named


SAID = r"The (slow link 1-2|trouble|dead link 3-0) |Jitter "


def test_what_a_dead_link_stops_comes_last_and_has_no_time(right, folder):
    common = "-n 4 --size 64KiB --topology ring --dead 1-2"
    right(f"compare broadcast ring tree {common} -o both.html")
    compared = compared_in(folder / "both.html")
    told = [right(f"time broadcast {name} {common} --json").json for name in ("ring", "tree")]
    assert compared["seconds"] == [each["seconds"] for each in told]
    assert None in compared["seconds"]
    assert any(text.startswith("The dead link 1-2 stops ") for text in compared["sentences"])


def test_by_default_four_ranks_have_64_mib_on_an_hgx_and_more_a_cluster(right, folder):
    right("compare all-reduce ring tree -o few.html")
    right("compare all-reduce ring tree -n 12 -o more.html")
    few, more = (compared_in(folder / name) for name in ("few.html", "more.html"))
    assert few["subtitle"].startswith("All-reduce of 64 MiB on 4 ranks · on hgx-h100 ·")
    assert more["subtitle"].startswith("All-reduce of 64 MiB on 12 ranks · on cluster:gpus=6 ·")
    told = right("time all-reduce tree -n 4 --size 64MiB --topology hgx-h100 --clock dataflow")
    assert time_text(few["seconds"][1], 4) in told.out


def test_without_a_file_the_comparison_alone_is_printed(right, folder):
    before = {path.name for path in folder.iterdir()}
    out = right("compare all-reduce ring tree -n 8 --size 64KiB").out
    assert "Fastest: " in out and "of first" in out
    assert {path.name for path in folder.iterdir()} == before


def test_a_picture_is_written_whole_and_its_path_printed(right, folder):
    pytest.importorskip("manim")
    from PIL import Image

    ended = right("compare all-reduce ring tree -n 8 --size 64KiB -q l --at 3us -o race.png")
    assert ended.out.endswith("\nrace.png\n")
    assert [path.name for path in folder.iterdir()] == ["race.png"]
    with Image.open(folder / "race.png") as picture:
        assert picture.size == (854, 480)


def test_own_functions_and_files_stand_beside_rows_and_words_say_why(right, folder):
    (folder / "mine.py").write_text(
        "from collectives.algorithms.ring import ring_all_reduce as my_all_reduce\n"
    )
    right("run all-reduce tree -n 4 -o tree.json")
    words = "compare all-reduce ring mine.py:my_all_reduce tree.json --size 64KiB"
    told = right(f"{words} --json").json
    assert told["algorithms"][0]["algorithm"] == "tree"
    assert told["ranks"] == 4
    assert {each["critical_path"]["messages"] for each in told["algorithms"]} == {4, 6}
    ended = right(f"{words} -o three.html")
    assert "Fastest: " in ended.out
    assert ended.out.endswith("\nthree.html\n")
    assert len(compared_in(folder / "three.html")["seconds"]) == 3


def test_a_ring_on_nodes_of_several_cards_has_a_channel_for_each(right, folder):
    """It wins where one card as fast as all of them would let it win, and not at every size."""
    line = "compare all-reduce ring hierarchical -n 16 --size 64MiB -o c.png --topology cluster"
    turns = "Fastest: hierarchical up to 23.5 MiB; ring from 23.5 MiB to 16 GiB."
    for more, said in (("", "rings  Ring: 8 channels, as NCCL runs them"), (":stripe=1", "")):
        text = right(line + more).out
        assert said in text and ("rings  Ring" in text) == bool(said)
        assert turns in text
    one = right(f"{line} -p channels=1").out
    assert "rings  Ring (1 channel): 1 of 8 channels" in one
    assert "Fastest: hierarchical up to 16 GiB." in one


def test_one_algorithm_stands_twice_with_parameters_of_its_own(right, folder):
    """Names, times and the page tell the two apart; -p is for those that do not say."""
    common = "-n 8 --size 64MiB --topology cluster:gpus=4"
    words = f"compare all-reduce ring:channels=1 ring:channels=2 ring {common}"
    told = right(f"{words} -p channels=4 --json").json
    names = [one["algorithm"] for one in told["algorithms"]]
    assert names == ["ring (4 channels)", "ring (2 channels)", "ring (1 channel)"]
    for one, channels in zip(told["algorithms"], (4, 2, 1), strict=True):
        line = f"time all-reduce ring {common} -p channels={channels} --clock dataflow --json"
        assert one["seconds"] == right(line).json["seconds"]
    right(f"{words} -p channels=4 -o rings.html")
    page = (folder / "rings.html").read_text("utf-8")
    index = json.loads(re.search(r'id="catalog">([^<]*)', page)[1])
    assert index["compared"]["title"] == "Ring: 1 channel, 2 channels or 4 channels?"
    place = index["fields"].index("algorithm")
    assert [entry[place] for entry in index["entries"]] == names[::-1]


def test_chunks_of_its_own_go_before_those_of_all(right):
    line = "compare broadcast ring:chunks=2 ring tree -n 4 --size 1MiB --chunks 8 --json"
    told = {one["algorithm"]: one["steps"] for one in right(line).json["algorithms"]}
    assert told == {"ring (2 chunks)": 4, "ring (8 chunks)": 10, "tree": 2}
