"""What no picture shows is refused before anything is executed, with a choice that helps."""

import pytest
from each import each

from collectives import record
from collectives.recording.saved import save

FIXED = "384 chunks: a page shows 1 to 256; those of a file are fixed; {} take it"
WIDE = """
from collectives import send


def wide_broadcast(n):
    for rank in range(1, n):
        yield send(0, rank, chunk=range(384))
"""


def program(chunks):
    """An MSCCL program of two GPUs, in which one sends the other so many chunks at once."""
    step = f'srcbuf="i" srcoff="0" dstbuf="i" dstoff="0" cnt="{chunks}" depid="-1" deps="-1"'
    gpus = "".join(
        f'<gpu id="{gpu}" i_chunks="{chunks}" o_chunks="{chunks}" s_chunks="0">'
        f'<tb id="0" send="{send}" recv="{recv}" chan="0">'
        f'<step s="0" type="{kind}" {step} hasdep="0"/></tb></gpu>'
        for gpu, send, recv, kind in ((0, 1, -1, "s"), (1, -1, 0, "r"))
    )
    head = f'name="wide" nchannels="1" nchunksperloop="{chunks}" ngpus="2" proto="Simple"'
    more = 'coll="broadcast" inplace="1" outofplace="0" minBytes="0" root="0"'
    return f"<algo {head} {more}>{gpus}</algo>"


@pytest.fixture
def files(folder):
    """A program, a recording and a function of 384 chunks, and a program of 2,000."""
    (folder / "wide.xml").write_text(program(384))
    (folder / "wider.xml").write_text(program(2000))
    (folder / "wide.py").write_text(WIDE)
    save(record("broadcast", "ring", ranks=4, chunks=384), folder / "wide.json")
    return folder


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("page wide.xml", FIXED.format("video, figure, run, check and time")),
        ("page wide.json", FIXED.format("video, figure, run, check and time")),
        ("page wide.xml --ask", FIXED.format("video, figure, run, check and time")),
        ("page wider.xml", "those of a file are fixed; run, check and time take it"),
        ("video wider.xml", "2,000 chunks: a picture shows 1 to 1024; those of a file are fixed"),
        ("figure picture wider.xml", "those of a file are fixed; run, check and time take it"),
        ("page wide.py:wide_broadcast --slots 384", "try: --slots 256"),
        ("page all-reduce bidirectional-ring -n 200", "400 chunks: a page shows 1 to 256; try"),
        ("page all-reduce bidirectional-ring -n 200", "try: -n 128"),
        ("page all-reduce recursive-doubling --also bidirectional-ring -n 200", "try: -n 128"),
        ("compare broadcast ring tree --chunks 384 -n 8 -o c.html", "try: --chunks 256"),
        ("page all-to-all flat -n 200 --clock dataflow", "try: --clock steps"),
    ],
)
def test_it_is_refused_before_anything_is_executed(collectives, files, monkeypatch, line, says):
    def executed(*_):
        raise AssertionError("executed before it is refused")

    monkeypatch.setattr("collectives.recording.recording.Recording.check", executed)
    done = collectives(line)
    assert done.status == 2 and says in done.err and len(done.err.splitlines()) == 1


@pytest.mark.parametrize("line", ["run wide.xml", "check wide.xml", "figure picture wide.xml"])
def test_what_is_named_takes_the_file(right, files, line):
    right(line)


MANY = {
    "figure space-time many.json": "at most 20 lines; those of a file are fixed; run, check and t",
    "figure space-time many.xml": "at most 20 lines; those of a file are fixed; run, check and t",
    "figure space-time few.json": "760 messages: at most 600 can be told apart; those of a file",
    "figure space-time all-reduce ring -n 30": "at most 20 lines; try: -n 16",
    "figure space-time many.json -n 300": "-n 300: a saved recording has its own; leave it out",
    "figure traffic more.json": "a matrix shows at most 256; those of a file are fixed; run, check",
    "figure links more.json": "can be drawn; those of a file are fixed; run, check and time take",
    "figure links many.json --topology hgx-h100": "takes 1 to 8; those of a file are fixed; it ru",
    "time many.xml --size 1MiB --topology cluster": "of a file are fixed; it runs on crossbar, ",
    "time all-reduce ring -n 30 --size 1MiB --topology hgx-h100": "takes 1 to 8; try: 8",
    "time more.json -o x.trace.json": "at most 65,536; those of a file are fixed; leave -o out",
    "program more.json --for mpi4py": "are printed; those of a file are fixed; run, check and ti",
    "launch more.json --backend mpi": "at most 256 are launched; those of a file are fixed; run,",
    "launch many.json --backend mpi -o x.svg": "at most 20 lines; those of a file are fixed; leav",
    "page alone.json --ask": "nothing moves; leave it out",
}


@pytest.fixture
def many(folder, right):
    """Recordings of 1, 20, 30 and 300 ranks, and a program of 30."""
    for name, ranks in {"alone": 1, "few": 20, "many": 30, "more": 300}.items():
        save(record("all_reduce", "ring", ranks=ranks), folder / f"{name}.json")
    right("convert many.json many.xml")


@each("line", MANY)
def test_the_ranks_of_a_file_are_not_changed_by_what_is_said_to_help(collectives, many, line):
    done = collectives(line)
    assert (done.status, done.out) == (2, "") and MANY[line] in done.err, done.err
    assert len(done.err.splitlines()) == 1
