"""Patterns of send-recv."""

from collectives.algorithms import send_recv
from collectives.catalog.forms import CHAIN
from collectives.catalog.row import Row, Setting, one, per_chunk
from collectives.theory import SENT, Form


def both_edges(setting: Setting) -> int:
    """The left edge of a rank's domain and the right one."""
    return 2


ROWS = (
    Row(
        "send_recv",
        "ping-pong",
        send_recv.ping_pong,
        Form("2", "2*(N//2)", "S", "2*(N//2)*S", "2*S"),
        optimal="BT",
        used_by="benchmarks of latency: OSU osu_latency, Intel MPI Benchmarks PingPong",
        source="Intel MPI Benchmarks, PingPong, here for each pair of ranks",
        chunk_count=one,
        pairs=lambda setting: send_recv.ping_pong_pairs(setting.ranks),
    ),
    Row(
        "send_recv",
        "halo-exchange",
        send_recv.halo_exchange,
        Form("1", "N*min(2, N-1)", "S", "N*S", SENT),
        optimal="RBT",
        used_by="stencil codes and domain decomposition: MPI_Sendrecv with both neighbors",
        source="Gropp, Lusk and Skjellum, Using MPI, one-dimensional decomposition",
        chunk_count=both_edges,
        also=("halo",),
        pairs=lambda setting: send_recv.halo_pairs(setting.ranks),
    ),
    Row(
        "send_recv",
        "pipeline-activations",
        send_recv.pipeline_activations,
        CHAIN,
        optimal="BT",
        used_by="pipeline parallelism: GPipe, Megatron-LM and DeepSpeed, their forward passes",
        source="Huang et al., GPipe, NeurIPS 2019",
        chunk_count=per_chunk,
        also=("pipeline",),
        pairs=lambda setting: send_recv.activation_pairs(setting.ranks, setting.chunks),
    ),
)
