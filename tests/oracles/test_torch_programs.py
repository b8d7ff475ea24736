"""Programs printed for torch, run on gloo: they end with the bits of the recording."""

import os
import subprocess

import pytest
from foreign import PATIENCE
from test_programs import LIVE

from collectives.formats.printed import printed

SHOW = """
import sys, torch
for rank in range(int(sys.argv[2])):
    result = torch.load(f"{sys.argv[1]}.{rank}.pt")
    print(bytes(result.contiguous().view(torch.uint8).tolist()).hex())
"""


@pytest.mark.parametrize("name", LIVE)
def test_a_printed_program_runs_on_gloo(tmp_path, name):
    python, recording = os.environ["TORCH"], LIVE[name]()
    file, result = tmp_path / "program.py", str(tmp_path / "result")
    file.write_text(printed(recording, "torch", file.name))
    place = {"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": "29531", "WORLD_SIZE": recording.nodes}
    ranks = [
        subprocess.Popen(
            [python, str(file), result],
            env=os.environ | {name: str(value) for name, value in (place | {"RANK": k}).items()},
            stderr=subprocess.PIPE,
            text=True,
        )
        for k in range(recording.nodes)
    ]
    try:
        said = [rank.communicate(timeout=PATIENCE)[1] for rank in ranks]
    finally:
        for rank in ranks:
            rank.kill()
    assert [rank.returncode for rank in ranks] == [0] * recording.nodes, said
    shown = [python, "-c", SHOW, result, str(recording.ranks)]
    lines = subprocess.run(shown, capture_output=True, text=True, check=True).stdout.split("\n")
    assert lines[:-1] == [held.tobytes().hex() for held in recording.result()]
