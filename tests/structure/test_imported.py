"""The structure of schedules that other people wrote, from their links alone.

They are not part of the project: they are looked for beside it, and left out where absent.
"""

from msccl_programs import FOLDER, FOUND, program

from collectives.formats.msccl import load, recording_of
from collectives.formats.msccl.program import parse_program
from collectives.structure import Cube, Line, Loose, Ring, Star, Torus

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


def test_a_chain_of_ranks_is_a_line():
    """Rank 1 passes on what it has received, a step later."""
    chain = (
        ["1 -1 0: s i0"],
        ["-1 0 0: r - i0", "2 -1 0: s i0 - 1 0/0"],
        ["-1 1 0: r - i0"],
    )
    recording = recording_of(parse_program(program("broadcast", *chain, chunks=1)), True)
    assert recording.structure == Line((0, 1, 2))


def test_the_structure_of_other_peoples_schedules():
    for name in FOUND:
        if name in KINDS:
            assert isinstance(load(FOLDER / name).structure, KINDS[name]), name
