"""Algorithms for all-reduce for a machine: nodes, grid, servers, switches, a short rank."""

from dataclasses import replace

from collectives.algorithms import (
    hierarchical,
    in_network,
    nvls,
    parameter_server,
    short_rank,
    torus,
)
from collectives.algorithms.nested import nested_all_reduce
from collectives.catalog import closed_forms, nested, parameters, sources, structures
from collectives.catalog.closed_forms import twice_all_but_one
from collectives.catalog.row import Row, in_pipeline, one_chunk, one_helper, per_rank
from collectives.theory import Form

ROWS: dict[str, Row] = {
    "hierarchical": Row(
        hierarchical.hierarchical_all_reduce,
        replace(
            twice_all_but_one("2*(gpus-1)+2*(N/gpus-1)", "2*N*(gpus+N/gpus-2)"),
            in_ways=nested.BOTH_WAYS,
        ),
        source="Sergeev and Del Balso, Horovod, arXiv 1802.05799, 2018; outside=doubling: NVRAR, "
        "arXiv 2511.09557, 2025",
        used_by="Horovod (hierarchical all-reduce)",
        nodes=nested.nodes,
        takes=(parameters.GPUS, nested.ALL_REDUCE, nested.INSIDE),
        usual_size=8 << 20,  # that few starts between nodes are what it is for
        in_ways=nested_all_reduce,
        structure=structures.two_levels,
    ),
    "three-level": Row(
        hierarchical.three_level_all_reduce,
        twice_all_but_one(
            "2*(gpus-1)+2*(nodes-1)+2*(N/gpus/nodes-1)", "2*N*(gpus+nodes+N/gpus/nodes-3)"
        ),
        source="hierarchical all-reduce, twice",
        against="ring hierarchical",
        sizes=parameters.multiples_of("gpus", "nodes"),
        takes=(parameters.GPUS_OF_THREE, parameters.NODES),
        structure=structures.three_levels,
    ),
    "leader smp": Row(
        hierarchical.leader_all_reduce,
        Form(
            "2*G+2*(N/gpus-1)",
            "2*N/gpus*(gpus+N/gpus-2)",
            "G*S+2*(N/gpus-1)/(N/gpus)*S",
            "2*(N-1)*S",
            "2*G*S+2*(N/gpus-1)/(N/gpus)*S",
            where=(closed_forms.LOG_GPUS,),
            optimal="T",
        ),
        source=f"{sources.THAKUR}; MPICH, allreduce_intra_smp",
        used_by="MPICH (smp)",
        chunk_count=lambda setting: setting.ranks // setting["gpus"],
        takes=(parameters.GPUS,),
        structure=structures.leaders,
    ),
    "torus-2d bucket": Row(
        torus.torus_2d_all_reduce,
        twice_all_but_one("2*(rows-1)+2*(N/rows-1)", "2*N*(rows+N/rows-2)"),
        source=sources.JAIN,
        used_by="Horovod (torus all-reduce)",
        takes=(parameters.GRID_ROWS,),
        display_name="2-D torus",
        home="torus-2d",
        structure=structures.grid,
    ),
    "torus-3d": Row(
        torus.torus_3d_all_reduce,
        twice_all_but_one(
            "2*(rows-1)+2*(columns-1)+2*(N/rows/columns-1)", "2*N*(rows+columns+N/rows/columns-3)"
        ),
        source=sources.JAIN,
        sizes=parameters.multiples_of("rows", "columns"),
        takes=(parameters.GRID_ROWS_OF_THREE, parameters.GRID_COLUMNS),
        display_name="3-D torus",
        home="torus-3d",
        structure=structures.grid_3d,
    ),
    "two-color-torus two-colour-torus": Row(
        torus.two_color_torus_all_reduce,
        twice_all_but_one("2*(rows-1)+2*(N/rows-1)", "4*N*(rows+N/rows-2)-2*N*abs(rows-N/rows)"),
        source=sources.JAIN,
        against="torus-2d",
        home="torus-2d",
        chunk_count=lambda setting: 2 * setting.ranks,
        takes=(parameters.GRID_ROWS,),
        structure=structures.grid,
    ),
    "two-shot all-pairs colocated-parameter-server": Row(
        parameter_server.two_shot_all_reduce,
        twice_all_but_one(
            "2", "2*N*(N-1)", lambda case: case.S + (case.N - 2) * int(case.size.max())
        ),
        source="vLLM, custom all-reduce; all ports at once",
        against="flat ring",
        used_by="vLLM and TensorRT-LLM up to 8 MiB, above one-shot; MSCCL (all pairs)",
    ),
    "parameter-server": one_chunk(
        parameter_server.parameter_server_all_reduce,
        Form("2", "2*N", "S", "2*N*S"),
        source="Li et al., Parameter server, OSDI 2014; all ports at once",
        nodes=one_helper,
        helpers="server",
    ),
    "sharded-parameter-server": Row(
        parameter_server.sharded_server_all_reduce,
        Form("2", "2*N*servers", "S", "2*N*S"),
        source="Jiang et al., BytePS, OSDI 2020; all ports at once",
        against="parameter-server",
        used_by="BytePS",
        chunk_count=lambda setting: setting["servers"],
        nodes=lambda setting: setting.ranks + setting["servers"],
        helpers="server",
        takes=(parameters.SERVERS,),
    ),
    "short-rank optcc": Row(
        short_rank.short_rank_all_reduce,
        Form(
            "min(N-1,1)*(q+2*N-2*max(5-N-q,0))",
            "min(N-1,1)*q*N",
            "min(N-1,1)*(2*N-3)/max(N-1,1)*S",
            "2*(N-1)*S",
            optimal="T",
        ),
        source="the four stages of Chen et al., OptCC, arXiv 2606.01680, 2026, in an order of ours",
        against="ring",
        chunk_count=lambda setting: max(1, 2 * (setting.ranks - 1) * setting.chunks),
        takes=(parameters.SHORT,),
    ),
    "SHARP collnet": in_pipeline(
        in_network.sharp_all_reduce,
        Form(
            "2*h+q-1",
            "2*q*(N+W-1)",
            "S",
            "2*(N+W-1)*S",
            where=(closed_forms.SWITCH_LEVELS, closed_forms.SWITCHES),
        ),
        source="Graham et al., SHARP, COMHPC 2016; a way through the switches counts every hop",
        used_by="NCCL (CollNet), where switches can add",
        nodes=lambda setting: setting.ranks + parameters.switches(setting.ranks, setting["radix"]),
        takes=(parameters.SWITCH_RADIX,),
    ),
    "NVLS": Row(
        nvls.nvls_all_reduce,
        Form("c+3", "2*N*min(2*c,c+2)", "(N+1)/N*S", "2*(N+1)*S", where=(closed_forms.SHARDED,)),
        source="NCCL, all_reduce.h, NVLS",
        used_by="NCCL from 2.17 on one NVSwitch domain, as two operations of two hops each",
        chunk_count=lambda setting: setting.chunks * setting.ranks,
        nodes=one_helper,
    ),
    "MultiShot": Row(
        nvls.multishot_all_reduce,
        Form("3", "N*(N+1)", "S", "2*N*S"),
        source="TensorRT-LLM, MultiShot; all ports at once",
        used_by="TensorRT-LLM (MultiShot) on one NVSwitch domain, as two operations",
        nodes=one_helper,
    ),
    "multicast": one_chunk(
        nvls.multicast_all_reduce,
        Form("2", "2*N", "S", "N**2*S"),
        source="NCCL, symmetric kernel AllReduce_AGxLLMC_R",
        against="flat",
        used_by="NCCL (symmetric memory) for small vectors on one NVSwitch domain",
        scratch=per_rank,
        nodes=one_helper,
    ),
    "NVLS-tree": Row(
        nvls.nvls_tree_all_reduce,
        Form(
            "4*min(gpus-1,1)+2*H+c-1",
            "2*N*min(gpus-1,1)*min(2*c,c+2*H+2)+2*c*gpus*(N/gpus-1)",
            "min(gpus-1,1)*(1+1/gpus)*S+min(N/gpus-1,3)/gpus*S",
            "min(gpus-1,1)*2*(gpus+1)*N/gpus*S+2*(N/gpus-1)*S",
            where=(closed_forms.LOG_NODES, closed_forms.SHARDED_IN_NODES),
        ),
        source="NCCL, all_reduce.h, NVLSTree",
        against="ring",
        used_by="NCCL between nodes with NVSwitches",
        chunk_count=lambda setting: setting.chunks * setting["gpus"],
        nodes=lambda setting: setting.ranks + setting.ranks // setting["gpus"],
        takes=(parameters.GPUS,),
        structure=structures.switch_in_each,
    ),
}
