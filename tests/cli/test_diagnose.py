"""`collectives diagnose`: its exit statuses, what it prints, and bad files."""

import os
from pathlib import Path

import pytest

DATA = Path(__file__).parents[1] / "data" / "nccl_tests"
A100, OCI = (
    DATA / f"{name}.txt" for name in ("superbenchmark_all_reduce", "oci_two_nodes_all_reduce")
)
HEAD = "# all_reduce_perf\n# size count type redop root time algbw busbw #wrong\n"
ROW = "1073741824 268435456 float sum -1 {} 131.59 230.29 {}\n"


def test_healthy_is_status_0_and_sick_status_1(right, collectives):
    out = right(f"diagnose {A100}").out
    assert out.startswith("Healthy: busbw 235 GB/s at 8 GiB\n")
    ended = collectives(f"diagnose {A100} --topology hgx-h100 --json")
    assert (ended.status, ended.err) == (1, "")
    report = ended.json
    assert report["verdict"] == "too slow" and report["factor"] == pytest.approx(2.0, abs=0.1)
    assert report["from_size"] == 8 << 20 and report["causes"][0]["next_step"]


def test_cannot_say_is_status_2_with_what_to_try(collectives):
    ended = collectives(f"diagnose {OCI}")
    assert ended.status == 2 and ended.out.startswith("Cannot say: which machine?")
    assert ended.err.count("\n") == 1 and "try: --topology cluster:gpus=8" in ended.err


def test_the_machine_to_try_is_one_of_the_gpus_in_the_header(collectives):
    """Of A100, whose DGX has HDR: a posted run is healthy there, and would not be of H100."""
    hint = collectives(f"diagnose {OCI}").err.partition("try: ")[2]
    assert hint == "--topology cluster:gpus=8,nics=8,inside=nvlink3,outside=ib-hdr\n"
    assert collectives(f"diagnose {OCI} {hint}").status == 0
    newer = hint.replace("nvlink3", "nvlink4").replace("hdr", "ndr")
    assert collectives(f"diagnose {OCI} {newer}").status == 1


BAD = {
    "empty": "",
    "only a header": HEAD,
    "binary": "\0\1\2",
    "nan": HEAD + ROW.format("nan", 0),
    "negative": HEAD + ROW.format("-3", 0),
    "zero": HEAD + ROW.format("0", 0),
    "truncated": HEAD + "1073741824 268435456 float sum\n",
    "no ranks": HEAD + "8 2 float sum -1 3.1 0.00 0.00 0\n",
    "other": (HEAD + ROW.format(8159.5, 0)).replace("all_reduce", "all_gather"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_files_are_one_line(name, collectives, folder):
    (folder / "out.txt").write_text(BAD[name])
    ended = collectives("diagnose out.txt --topology hgx-a100")
    assert (ended.status, ended.out, ended.err.count("\n")) == (2, "", 1), ended
    assert "out.txt" in ended.err


def test_what_is_no_file_is_one_line(collectives, folder):
    os.mkfifo(folder / "pipe")
    for path in ("nowhere.txt", "pipe", "/dev/zero", "."):
        ended = collectives(f"diagnose {path} --topology hgx-a100")
        assert (ended.status, ended.out, ended.err.count("\n")) == (2, "", 1), ended
