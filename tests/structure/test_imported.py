"""The structure of schedules that other people wrote, from their links alone.

They are not part of the project: they are looked for beside it, and left out where absent.
"""

import xml.etree.ElementTree as ElementTree
from collections import Counter
from pathlib import Path

from collectives.structure import Cube, Line, Loose, Ring, Star, Torus
from collectives.structure.inference import inferred
from collectives.structure.traffic import Traffic

FOLDER = Path(__file__).parents[3] / "shared" / "schedules"
KINDS = {
    "generated_msccl-tools/ar_ring_3.xml": Ring,
    "generated_msccl-tools/ag_ring_6.xml": Ring,
    "generated_msccl-tools/ag_rd_8.xml": Cube,
    "generated_msccl-tools/ar_rhd_8.xml": Cube,
    "generated_msccl-tools/ar_1step_5.xml": Star,
    "generated_msccl-tools/ar_hier_2x4.xml": Torus,
    "generated_msccl-tools/alltonext_f2.xml": Loose,
    "azure_msccl-scheduler/ndv4_ap2ll.xml": Star,
}
FOUND = [name for name in KINDS if (FOLDER / name).exists()]


def traffic(path):
    """The links of every round, in which each thread block goes on where it can."""
    root = ElementTree.parse(path).getroot()
    blocks = {
        (int(gpu.get("id")), int(tb.get("id"))): (tb, list(tb))
        for gpu in root
        for tb in gpu.iter("tb")
    }
    done, waiting, rounds = Counter(), Counter(), []
    while True:
        sent, moved = Counter(), False
        before = done.copy()
        for (gpu, number), (tb, steps) in blocks.items():
            if before[gpu, number] == len(steps):
                continue
            step = steps[before[gpu, number]]
            needs = int(step.get("depid"))
            if needs >= 0 and before[gpu, needs] <= int(step.get("deps")):
                continue
            kind, channel = step.get("type"), tb.get("chan")
            arrives = (int(tb.get("recv")), gpu, channel)
            if kind.startswith("r") and kind != "re":
                if not waiting[arrives]:
                    continue
                waiting[arrives] -= 1
            if kind.endswith("s"):
                sent[gpu, int(tb.get("send")), channel] += 1
            done[gpu, number] += 1
            moved = True
        if not moved:
            break
        waiting += sent
        if sent:
            rounds.append(frozenset((src, dst) for src, dst, _ in sent))
    ranks = int(root.get("ngpus"))
    assert all(done[name] == len(steps) for name, (_, steps) in blocks.items())
    return Traffic(ranks, ranks, tuple(rounds))


def test_the_rounds_of_a_program(tmp_path):
    """A chain: rank 1 passes on what it has received, a round later."""
    (tmp_path / "chain.xml").write_text("""
        <algo ngpus="3">
          <gpu id="0"><tb id="0" send="1" recv="-1" chan="0"><step type="s" depid="-1"/></tb></gpu>
          <gpu id="1">
            <tb id="0" send="-1" recv="0" chan="0"><step type="r" depid="-1"/></tb>
            <tb id="1" send="2" recv="-1" chan="0"><step type="s" depid="0" deps="0"/></tb>
          </gpu>
          <gpu id="2"><tb id="0" send="-1" recv="1" chan="0"><step type="r" depid="-1"/></tb></gpu>
        </algo>
    """)
    found = traffic(tmp_path / "chain.xml")
    assert found.steps == (frozenset({(0, 1)}), frozenset({(1, 2)}))
    assert inferred(found) == Line((0, 1, 2))


def test_the_structure_of_other_peoples_schedules():
    for name in FOUND:
        assert isinstance(inferred(traffic(FOLDER / name)), KINDS[name]), name
