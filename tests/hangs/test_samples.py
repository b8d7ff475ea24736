"""Lines of public threads: what can be said of them, and no rank that they do not single out."""

from pathlib import Path

import pytest

import collectives

FOLDER = Path(__file__).parents[1] / "data" / "hangs"
SAMPLES = {  # by file: the verdict, the first finding, its ranks, words of it
    "basicsr_737.log": ("hang", "stuck", (), "ranks 0-2 wait in the same call, 808, ALLREDUCE"),
    "lightning_20832.log": (
        "hang",
        "missing",
        (3,),
        "is missing from these files, which have 3 of 4",
    ),
    "llamafactory_6269.log": ("hang", "stuck", (), "has 8 ranks, and these files have nothing of"),
    "llamafactory_7396.log": ("hang", "stuck", (), "at least 5 ranks"),
    "milabench_269.log": ("hang", "stuck", (), "rank 6 waits in 2070, ALLREDUCE of 1 element"),
    "nccl_1762.txt": ("ranks fail", "absent", (), "Missing communicator data from 1 job process"),
    "nccl_1911.txt": ("ranks differ", "behind", (), "ranks 12, 13 have launched 641 AllGather"),
    "pytorch_117682.log": (
        "hang",
        "stuck",
        (),
        "for whom: no line names the other rank",
    ),
    "pytorch_97066.log": ("hang", "stuck", (), "no other rank: cannot say for whom it waits"),
    "ras_guide.txt": ("ranks differ", "behind", (0, 2, 3, 4, 5, 7), "One look cannot say"),
    "sglang_1693.log": ("hang", "stuck", (), "nothing of ranks 0, 2, 3, 5-7"),
    "verl_1158.log": ("hang", "stuck", (), "ranks 3, 7 wait in the same call, 4486, ALLTOALL"),
}


def test_every_sample_has_its_address_and_is_looked_at():
    paths = sorted(FOLDER.iterdir())
    assert [path.name for path in paths] == sorted(SAMPLES)
    assert all(path.read_text().startswith("# https://") for path in paths)


@pytest.mark.parametrize("name", SAMPLES)
def test_what_a_public_thread_says(name):
    verdict, kind, ranks, words = SAMPLES[name]
    report = collectives.log(FOLDER / name)
    first = report.hang.findings[0]
    assert (report.hang.verdict, first.kind, first.ranks) == (verdict, kind, ranks)
    assert words in first.text and report.status == 1
    assert name in first.origin or kind in ("missing", "behind")


@pytest.mark.parametrize("name", [name for name in SAMPLES if name.endswith(".log")])
def test_a_line_that_is_left_out_makes_no_rank_a_culprit(name, tmp_path):
    lines = (FOLDER / name).read_text().splitlines()
    whole = {rank for one in collectives.log(FOLDER / name).hang.findings for rank in one.ranks}
    part = tmp_path / name
    for left_out in range(1, len(lines) * (len(lines) > 2)):
        part.write_text("\n".join(lines[:left_out] + lines[left_out + 1 :]))
        findings = collectives.log(part).hang.findings
        assert {rank for one in findings for rank in one.ranks} <= whole, lines[left_out]
