"""Algorithms for all-reduce that are made for a machine: its nodes, grid, servers, switches."""

from __future__ import annotations

from collectives.algorithms import hierarchical, in_network, nvls, parameter_server, torus
from collectives.catalog import levels
from collectives.catalog.forms import twice_all_but_one
from collectives.catalog.row import Row, Setting, Sizes, one, per_chunk
from collectives.theory import Form, Letter


def ceil_log2(number: int) -> int:
    """Binary digits of the number before: ceil(log2)."""
    return (number - 1).bit_length()


def shares(*names: str) -> Sizes:
    """Sizes that the product of these parameters divides."""

    def accepts(setting: Setting) -> bool:
        product = 1
        for name in names:
            product *= setting[name]
        return setting.ranks % product == 0

    return Sizes("multiples of " + " x ".join(names), accepts)


ROWS = (
    Row(
        "all_reduce",
        "hierarchical",
        hierarchical.hierarchical_all_reduce,
        twice_all_but_one("2*(gpus-1)+2*(N/gpus-1)", "2*N*(gpus+N/gpus-2)"),
        optimal="BT",
        used_by="Horovod (hierarchical all-reduce)",
        source="Sergeev and Del Balso, Horovod, arXiv 1802.05799, 2018",
        takes=(levels.GPUS,),
    ),
    Row(
        "all_reduce",
        "three-level",
        hierarchical.three_level_all_reduce,
        twice_all_but_one(
            "2*(gpus-1)+2*(nodes-1)+2*(N/gpus/nodes-1)", "2*N*(gpus+nodes+N/gpus/nodes-3)"
        ),
        optimal="BT",
        source="hierarchical all-reduce, twice",
        sizes=shares("gpus", "nodes"),
        takes=(levels.GPUS_OF_THREE, levels.NODES),
    ),
    Row(
        "all_reduce",
        "leader",
        hierarchical.leader_all_reduce,
        Form(
            "2*G+2*(N/gpus-1)",
            "2*N/gpus*(gpus+N/gpus-2)",
            "G*S+2*(N/gpus-1)/(N/gpus)*S",
            "2*(N-1)*S",
            "2*G*S+2*(N/gpus-1)/(N/gpus)*S",
            where=(
                Letter("G", "ceil(log2 gpus)", lambda case: ceil_log2(case.parameters["gpus"])),
            ),
        ),
        optimal="T",
        used_by="MPICH (smp)",
        source="Thakur, Rabenseifner and Gropp, IJHPCA 19(1), 2005; MPICH, allreduce_intra_smp",
        chunk_count=lambda setting: setting.ranks // setting["gpus"],
        takes=(levels.GPUS,),
        also=("smp",),
    ),
    Row(
        "all_reduce",
        "torus-2d",
        torus.torus_2d_all_reduce,
        twice_all_but_one("2*(rows-1)+2*(N/rows-1)", "2*N*(rows+N/rows-2)"),
        optimal="BT",
        used_by="Horovod (torus all-reduce)",
        source="Jain and Sabharwal, Optimal bucket algorithms, ICS 2010",
        takes=(levels.GRID_ROWS,),
        also=("bucket",),
        name="2-D torus",
    ),
    Row(
        "all_reduce",
        "torus-3d",
        torus.torus_3d_all_reduce,
        twice_all_but_one(
            "2*(rows-1)+2*(columns-1)+2*(N/rows/columns-1)", "2*N*(rows+columns+N/rows/columns-3)"
        ),
        optimal="BT",
        source="Jain and Sabharwal, Optimal bucket algorithms, ICS 2010",
        sizes=shares("rows", "columns"),
        takes=(levels.GRID_ROWS_OF_THREE, levels.GRID_COLUMNS),
        name="3-D torus",
    ),
    Row(
        "all_reduce",
        "two-color-torus",
        torus.two_color_torus_all_reduce,
        twice_all_but_one("2*(rows-1)+2*(N/rows-1)", "4*N*(rows+N/rows-2)-2*N*abs(rows-N/rows)"),
        optimal="BT",
        source="Jain and Sabharwal, Optimal bucket algorithms, ICS 2010",
        chunk_count=lambda setting: 2 * setting.ranks,
        takes=(levels.GRID_ROWS,),
        also=("two-colour-torus",),
    ),
    Row(
        "all_reduce",
        "two-shot",
        parameter_server.two_shot_all_reduce,
        twice_all_but_one(
            "2", "2*N*(N-1)", lambda case: case.S + (case.N - 2) * int(case.size.max())
        ),
        optimal="BT",
        used_by="vLLM and TensorRT-LLM up to 8 MiB, above one-shot; MSCCL (all pairs)",
        source="vLLM, custom all-reduce; all ports at once",
        also=("all-pairs", "colocated-parameter-server"),
    ),
    Row(
        "all_reduce",
        "parameter-server",
        parameter_server.parameter_server_all_reduce,
        Form("2", "2*N", "S", "2*N*S"),
        source="Li et al., Parameter server, OSDI 2014; all ports at once",
        chunk_count=one,
        nodes=lambda setting: setting.ranks + 1,
        helpers="server",
    ),
    Row(
        "all_reduce",
        "sharded-parameter-server",
        parameter_server.sharded_server_all_reduce,
        Form("2", "2*N*servers", "S", "2*N*S"),
        used_by="BytePS",
        source="Jiang et al., BytePS, OSDI 2020; all ports at once",
        chunk_count=lambda setting: setting["servers"],
        nodes=lambda setting: setting.ranks + setting["servers"],
        helpers="server",
        takes=(levels.SERVERS,),
    ),
    Row(
        "all_reduce",
        "sharp",
        in_network.sharp_all_reduce,
        Form(
            "2*h+q-1",
            "2*q*(N+W-1)",
            "S",
            "2*(N+W-1)*S",
            where=(
                Letter(
                    "h",
                    "levels of switches",
                    lambda case: levels.height(case.N, case.parameters["radix"]),
                ),
                Letter(
                    "W",
                    "switches",
                    lambda case: levels.switches(case.N, case.parameters["radix"]),
                ),
            ),
        ),
        used_by="NCCL (CollNet), where switches can add",
        source="Graham et al., SHARP, COMHPC 2016; a way through the switches counts every hop",
        chunk_count=per_chunk,
        nodes=lambda setting: setting.ranks + levels.switches(setting.ranks, setting["radix"]),
        takes=(levels.DOWN,),
        also=("collnet",),
        name="SHARP",
    ),
    Row(
        "all_reduce",
        "nvls",
        nvls.nvls_all_reduce,
        Form(
            "c+3",
            "2*N*min(2*c,c+2)",
            "(N+1)/N*S",
            "2*(N+1)*S",
            where=(Letter("c", "chunks, each cut into shards", lambda case: case.q // case.N),),
        ),
        used_by="NCCL from 2.17 on one NVSwitch domain, as two operations of two hops each",
        source="NCCL, all_reduce.h, NVLS",
        chunk_count=lambda setting: setting.chunks * setting.ranks,
        nodes=lambda setting: setting.ranks + 1,
        name="NVLS",
    ),
    Row(
        "all_reduce",
        "nvls-tree",
        nvls.nvls_tree_all_reduce,
        Form(
            "4*min(gpus-1,1)+2*H+c-1",
            "2*N*min(gpus-1,1)*min(2*c,c+2*H+2)+2*c*gpus*(N/gpus-1)",
            "min(gpus-1,1)*(1+1/gpus)*S+min(N/gpus-1,3)/gpus*S",
            "min(gpus-1,1)*2*(gpus+1)*N/gpus*S+2*(N/gpus-1)*S",
            where=(
                Letter(
                    "H",
                    "ceil(log2 N/gpus)",
                    lambda case: ceil_log2(case.N // case.parameters["gpus"]),
                ),
                Letter(
                    "c",
                    "chunks, each cut into shards",
                    lambda case: case.q // case.parameters["gpus"],
                ),
            ),
        ),
        used_by="NCCL between nodes with NVSwitches",
        source="NCCL, all_reduce.h, NVLSTree",
        chunk_count=lambda setting: setting.chunks * setting["gpus"],
        nodes=lambda setting: setting.ranks + setting.ranks // setting["gpus"],
        takes=(levels.GPUS,),
        name="NVLS tree",
    ),
)
