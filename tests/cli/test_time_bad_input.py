"""Bad input of `collectives time`: one line, whose hint is accepted when it is typed."""

import shlex

import pytest
from own_machine import TOML

BAD = [
    ("time all-reduce ring", "--size 1GiB"),
    ("time all-reduce ring --size 5", "--size 5", "no unit", "5B"),
    ("time all-reduce ring --size 5GX", "5GX", "choose from B"),
    ("time all-reduce ring --size 5gib", "5gib", "GiB"),
    ("time all-reduce ring --size 1Gb", "bits", "125MB"),
    ("time all-reduce ring --size 1.5B", "whole number of bytes"),
    ("time all-reduce ring --size=-1GB", "negative"),
    ("time all-reduce ring --size nanGB", "nanGB", "number and a unit"),
    ("time all-reduce ring --size 9223372036854775808B", "at most 256TiB; try: 256TiB"),
    ("time all-reduce ring --size 8EiB", "--size 8EiB: must be at most 256TiB; try: 256TiB"),
    ("time all-reduce ring --size 1e400B", "2^63"),
    ("time all-reduce ring --size 4EiB", "try: 256TiB"),
    ("time all-reduce ring --size 1PiB", "try: 256TiB"),
    ("time all-reduce ring --size 1GB --count 4", "--count 4", "leave it out"),
    ("time all-reduce ring --size 1GB --counts 1,2,3,4", "--counts"),
    ("time barrier tree --size 1GB", "barrier moves no data"),
    ("time barrier --size 1GB", "barrier moves no data"),
    ("time all-reduce ring --size 1GB --bandwidth 0GB/s", "--bandwidth", "above 0"),
    ("time all-reduce ring --size 1GB --bandwidth=-5GB/s", "must be above 0; try: 1GB/s"),
    ("time all-reduce ring --size 1GB --bandwidth 5GB", "5GB", "GB/s"),
    ("time all-reduce ring --size 1GB --bandwidth nanGB/s", "nan"),
    ("time all-reduce ring --size 1GB --bandwidth 1e19B/s", "--bandwidth", "2^63"),
    ("time all-reduce ring --size 1GB --latency 5", "--latency 5", "no unit"),
    ("time all-reduce ring --size 1GB --latency=-5us", "negative"),
    ("time all-reduce ring --size 1GB --latency 5us --topology hgx-h100", "links of its own"),
    ("time scan chain --size 1GB --latency 5us --topology ring:latency=1us", "--topology says"),
    ("time all-reduce ring --size 1GB --topology hgx", "did you mean hgx-a100 or hgx-h100"),
    ("time all-reduce ring --size 1GB --topology ''", "--topology", "choose from"),
    ("time all-reduce ring --size 1GB --topology nowhere.toml", "nowhere.toml", "no such file"),
    ("time all-reduce ring --size 1GB --topology hgx-h100 -n 9", "1 to 8", "try: 8"),
    ("time all-reduce ring --size 1GB --topology nvl72 -n 73", "1 to 72"),
    ("time all-reduce ring --size 1GB --topology cluster -n 9", "multiples", "try: 8 or 16"),
    ("time all-reduce ring --size 1GB --topology cluster:gpsu=4", "gpsu", "did you mean gpus?"),
    ("time all-reduce ring --size 1GB --topology cluster:gpus", "NAME=VALUE"),
    ("time all-reduce ring --size 1GB --topology cluster:gpus=x", "whole number"),
    ("time all-reduce ring --size 1GB --topology cluster:gpus=4,gpus=8", "twice"),
    ("time all-reduce ring --size 1GB --topology cluster:inside=nvlnk4", "nvlink4"),
    ("time all-reduce ring --size 1GB --topology cluster:oversubscription=x", "a number"),
    ("time all-reduce ring --size 1GB --topology cluster:oversubscription=nan", "a number"),
    ("time all-reduce ring --size 1GB --topology cluster:oversubscription=inf", "oversubscription"),
    ("time all-reduce ring --size 1GB --topology crossbar:half_duplex=maybe", "true or false"),
    ("time all-reduce ring --size 1GB --topology hgx-h100:gpus=4", "leave it out"),
    ("time all-reduce ring --size 1GB --clock sundial", "sundial", "choose from lockstep"),
    ("time all-reduce ring --size 1GB --chunks best", "--chunks best", "not pipelined"),
    ("time all-reduce ring --size 1GB --chunks most", "whole number"),
    ("time all-reduce --size 1GB --chunks 4", "--chunks 4", "name an algorithm"),
    ("time all-reduce --size 1GB --root 1", "no root"),
    ("time all-reduce --size 1GB -p gpsu=3", "gpsu"),
    ("time send-recv --size 1GB", "send-recv ping-pong"),
    ("time all-redcue --size 1GB", "did you mean all-reduce?"),
    ("time all-reduce nvls --size 1GB --topology ring", "it runs on crossbar, hgx-h100"),
    ("time all-reduce ring --like nccl --size 1GB", "library chooses"),
    ("time ring.json --like nccl --size 1GB", "library chooses the algorithm; try: all-reduce"),
    ("time own.py:mine --like nccl --size 1GB", "library chooses the algorithm; try: all-red"),
    ("time all-reduce --like ncll --size 1GB --topology hgx-h100", "did you mean nccl?"),
    ("time all-reduce --like nccl --size 1GB --topology ring", "knows GPUs"),
    ("time barrier --like nccl --topology hgx-h100", "barrier"),
    ("time all-reduce ring --size 1GB --topology h100", "FILE.toml; did you mean hgx-h100?"),
    ("time all-reduce ring --size 1GB --slow-link 1-2", "no link rank 1", "'1-switch 0=0.5'"),
    ("time all-reduce ring --size 1GB --slow-link 1-2=2 --topology ring", "above 0 up to 1"),
    ("time all-reduce ring --size 1GB --slow-link 1-2=nan --topology ring", "above 0 up to 1"),
    ("time scan chain --size 1GB --slow-link 0-2=0.5 --topology ring", "no link rank 0 → rank 2"),
    ("time all-reduce ring --size 1GB --slow-link x=0.5 --topology ring", "two nodes"),
    ("time all-reduce ring --size 1GB --slow-link '1-hub 2=0.5' --topology ring", "rank 0 to 3"),
    ("time all-reduce ring --size 1GB --slow-rank 4=0.5", "no rank 4", "0 to 3"),
    ("time all-reduce ring --size 1GB --slow-rank 2=0", "above 0 up to 1"),
    ("time all-reduce ring --size 1GB --late 9=5us", "no rank 9"),
    ("time all-reduce ring --size 1GB --late 2=5", "no unit"),
    ("time all-reduce ring --size 1GB --dead 1-3 --topology ring", "no link rank 1 → rank 3"),
    ("time all-reduce ring --size 1GB --jitter 5%", "--jitter"),
    ("time all-reduce ring --size 1GB --seed 1", "no jitter"),
    ("time all-reduce ring --size 1GB --jitter 1us --seed x", "--seed 'x'"),
    ("time none.json", "none.json"),
    ("time none.toml --size 1GB", "none.toml"),
]  # fmt: skip


@pytest.mark.parametrize("case", BAD, ids=lambda case: case[0][5:])
def test_bad_input_is_one_line(collectives, case):
    words, *told = case
    ended = collectives(words)
    assert (ended.status, ended.out) == (2, "")
    assert ended.err.startswith("collectives: ")
    assert ended.err.count("\n") == 1
    for part in told:
        assert part in ended.err, ended.err


HINTED = [
    "--size 9EB",
    "--size 1GB --bandwidth=-1GB/s",
    "--size 1GB --bandwidth 0",
    "--size 1GB --bandwidth 1e19B/s",
    "--size 1GB --latency=-5us",
    "--size 1GB --latency 1e19s",
    "--size 8EiB",
    "--size 300TiB",
    "--size 1e30",
    "--size 1.5",
    "--size 1b",
    "--size 1GB --slow-rank 2=0",
    "--size 1GB --slow-rank 2",
    "--size 1GB --slow-rank 9=0.5",
    "--size 1GB --late 2=5",
    "--size 1GB --late 9=5us",
    "--size 1GB --jitter=-1us",
    "--size 1GB --topology ring --slow-link 1-2",
    "--size 1GB --topology ring --slow-link 1-2=7",
    "--size 1GB --slow-link 1-2=0.5",
    "--size 1GB --slow-link 1-2",
    "--size 1GB --slow-link x=0.5",
    "--size 1GB --topology ring --slow-link 0-2=0.5",
    "--size 1GB --topology ring --slow-link 0-99=0.5",
    "--size 1GB --topology ring --slow-link '0-hub 2=0.5'",
    "--size 1GB --topology hgx-h100 --slow-link 'rank 9-switch 0=50%'",
    "--size 1GB --topology cluster -n 8 --dead 0-1",
    "--size 1GB --dead 1-2",
    "--size 1GB --dead 1",
    "--size 1GB --topology ring --dead 1→9",
]


@pytest.mark.parametrize("typed", HINTED)
def test_hints_are_accepted_when_they_are_typed(collectives, typed):
    """The last option's value is replaced by what is said to be nearest."""
    *words, option, _ = shlex.split(typed.replace("=-", " -"))
    ended = collectives("time", "all-reduce", "ring", *shlex.split(typed))
    assert ended.status == 2
    near = ended.err.strip().rpartition("try: ")[2]
    again = collectives("time", "all-reduce", "ring", *words, option, *shlex.split(near))
    assert (again.status, again.err) == (0, ""), (near, again.err)


FILES = [
    (TOML.replace("ranks = 3", "ranks = 4"), "no way from rank", "rank 3"),
    (TOML.replace("between", "betwen"), "betwen", "did you mean between?"),
    (TOML.replace("ranks", "rnaks"), "rnaks", "did you mean ranks?"),
    (TOML.replace("10GB/s", "0GB/s"), "bandwidth", "above 0"),
    (TOML.replace("10GB/s", "10"), "unit"),
    (TOML.replace('"10GB/s"', "nan"), "bandwidth"),
    (TOML.replace("ranks = 3", "ranks = 9223372036854775808"), "ranks"),
    (TOML.replace("[1, 2]", "[1, 7]"), "no node 7"),
    ("ranks = ", "not TOML"),
]


@pytest.mark.parametrize("case", FILES, ids=lambda case: case[1])
def test_a_bad_file_is_one_line(collectives, folder, case):
    text, *told = case
    (folder / "bad.toml").write_text(text)
    ended = collectives("time all-reduce ring --size 1MB --topology bad.toml")
    assert (ended.status, ended.out) == (2, "")
    assert ended.err.count("bad") == 1 and ended.err.count("\n") == 1
    for part in told:
        assert part in ended.err, ended.err
