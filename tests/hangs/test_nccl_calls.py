"""Calls in NCCL's INFO logs: whose differs, whose last is behind, and no more than they say."""

import pytest

from collectives import log
from collectives.hangs.stop import stopped

START = "node:{pid}:{pid}9 [{rank}] NCCL INFO "
JOINED = (
    START + "ncclCommInitRank comm 0x7f{rank}0 rank {rank} nranks {ranks} cudaDev {rank} nvmlDev "
    "{rank} busId 1b000 commId 0x71a9 - Init COMPLETE"
)
CALLED = (
    START
    + "{name}: opCount {number:x} sendbuff 0x7fc9c4000000 recvbuff 0x7fc9bc000000 {more}count "
    "{count} datatype 7 op 0 root 0 comm 0x7f{rank}0 [nranks={ranks}] stream 0x5631f0021140"
)


def written(path, calls, more=""):
    """A log in which each rank makes its calls, as (operation, count)."""
    ranks = len(calls)
    lines = [JOINED.format(pid=700 + rank, rank=rank, ranks=ranks) for rank in range(ranks)]
    for at in range(max(map(len, calls))):
        for rank, own in enumerate(calls):
            if at < len(own):
                name, count = own[at]
                where = {"pid": 700 + rank, "rank": rank, "ranks": ranks, "more": more}
                lines.append(CALLED.format(name=name, count=count, number=at, **where))
    path.write_text("\n".join(lines) + "\n")
    return log(path).hang


SAME = [("AllReduce", 64), ("AllGather", 128), ("ReduceScatter", 32)] * 8  # beyond opCount f


@pytest.mark.parametrize("more", ["", "acc (nil) "])
def test_ranks_that_call_alike_are_right(more, tmp_path):
    hang = written(tmp_path / "nccl.log", [SAME] * 4, more)
    assert (hang.verdict, hang.status) == ("nothing wrong", 0)
    text = "\n".join(map(str, hang.lines()))
    assert "(NCCL INFO, 4 ranks)" in text
    assert "ranks 0-3  last called 23, ReduceScatter of 128 to 32 elements (Float)" in text


@pytest.mark.parametrize(
    ("call", "kind"), [(("AllReduce", 128), "operation"), (("AllGather", 130), "size")]
)
def test_the_call_that_differs_is_named_and_not_said_to_have_completed(call, kind, tmp_path):
    calls = [list(SAME) for _ in range(4)]
    calls[2][19] = call
    hang = written(tmp_path / "nccl.log", calls)
    (finding,) = hang.findings
    assert (finding.kind, finding.ranks, finding.sequence) == (kind, (2,), 19)
    assert finding.text.endswith("These lines do not say whether it completed")
    assert hang.verdict == "ranks differ" and hang.status == 1


def test_whose_last_call_is_behind_is_named_as_open_and_can_be_played(tmp_path):
    hang = written(tmp_path / "nccl.log", [SAME, SAME[:18], SAME, SAME])
    (finding,) = hang.findings
    assert (finding.kind, finding.ranks, finding.is_still) == ("behind", (1,), False)
    assert "rank 1 has called up to 17, ReduceScatter of 128 to 32 elements" in finding.text
    assert "look again" in finding.text
    assert stopped(hang).bytes_sent[1] == 0


def test_of_a_communicator_with_sends_nothing_is_said(tmp_path):
    """Its ranks count sends of their own, so that one call has other numbers on each."""
    path = tmp_path / "nccl.log"
    written(path, [SAME, [("Send", 4), *SAME[:-1]], SAME, SAME])
    report = log(path)
    assert report.hang is None
    assert report.setup is not None
