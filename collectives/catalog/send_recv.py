"""Patterns of send-recv."""

from collectives.algorithms import send_recv
from collectives.catalog.closed_forms import CHAIN
from collectives.catalog.row import Row, in_pipeline, one_chunk
from collectives.theory import SENT, Form

ROWS: dict[str, Row] = {
    "ping-pong": one_chunk(
        send_recv.ping_pong,
        Form("2", "2*(N//2)", "S", "2*(N//2)*S", "2*S", optimal="BT"),
        source="Intel MPI Benchmarks, PingPong, here for each pair of ranks",
        used_by="benchmarks of latency: OSU osu_latency, Intel MPI Benchmarks PingPong",
        pairs=lambda setting: send_recv.ping_pong_pairs(setting.ranks),
    ),
    "halo-exchange halo": Row(
        send_recv.halo_exchange,
        Form("1", "N*min(2, N-1)", "S", "N*S", SENT, optimal="RBT"),
        source="Gropp, Lusk and Skjellum, Using MPI, one-dimensional decomposition",
        used_by="stencil codes and domain decomposition: MPI_Sendrecv with both neighbors",
        chunk_count=lambda setting: 2,
        pairs=lambda setting: send_recv.halo_pairs(setting.ranks),
    ),
    "pipeline-activations pipeline": in_pipeline(
        send_recv.pipeline_activations,
        CHAIN,
        source="Huang et al., GPipe, NeurIPS 2019",
        used_by="pipeline parallelism: GPipe, Megatron-LM and DeepSpeed, their forward passes",
        pairs=lambda setting: send_recv.activation_pairs(setting.ranks, setting.chunks),
    ),
}
