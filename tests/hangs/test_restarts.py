"""A log in which torchrun has started the job again: the last start alone is judged."""

import pytest
from incident_files import watchdog
from incidents import Job

from collectives import log


def lines_of(folder, behind, calls):
    """The watchdog's lines of four ranks, of which one stops after so many calls."""
    made = {rank: [("0", "all_reduce", 4096, "Float")] * 300 for rank in range(4)}
    job = Job({"0": list(range(4))}, made, {behind: calls})
    job.is_stopped = True
    (path,) = watchdog(job.run(), folder)
    return path.read_text()


@pytest.mark.parametrize("behind", range(4))
def test_who_is_behind_in_the_last_start_is_named_and_nobody_of_the_one_before(behind, tmp_path):
    first, last = lines_of(tmp_path, (behind + 1) % 4, 200), lines_of(tmp_path, behind, 40)
    path = tmp_path / "both.log"
    path.write_text(first + last)
    hang = log(path).hang
    (finding,) = hang.findings
    assert (finding.kind, finding.ranks, finding.sequence) == ("behind", (behind,), 41)
    (note,) = hang.evidence.notes
    start = len(first.splitlines())
    assert "the job was started again, and lines before that are left out" in note
    assert any(f"line {at}:" in note for at in range(start + 1, start + 5))


def test_a_log_of_one_start_has_no_such_note(tmp_path):
    path = tmp_path / "once.log"
    path.write_text(lines_of(tmp_path, 2, 40))
    assert log(path).hang.evidence.notes == ()
