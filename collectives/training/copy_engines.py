"""What moving data takes from computation: SMs where kernels do it, none where copy engines do.

NCCL starts a block for each channel, and fewer channels leave more of the GPU to computation (its
user guide, NCCL_NTHREADS and NCCL_MAX_NCHANNELS); that a block takes a whole SM is the most it can.
With CTA policy ZERO it takes none where copy engines can do the work (API, NCCL_CTA_POLICY_ZERO).
Their times are those that NCCL 2.31.2 expects, src/tuning/ce_model.cc.
"""

from __future__ import annotations

from dataclasses import dataclass

from collectives.values import instance, not_negative, one_of, whole

SMS = {"V100": 80, "A100": 108, "H100": 132, "H200": 132, "B200": 148}  # NVIDIA's white papers
MOST_CHANNELS = 64


@dataclass(frozen=True)
class CopyEngines:
    """All-gathers by copy engines: µs that do not depend on the size, and GB/s of NVLink.

    unicast, multicast: µs in all, and µs for each rank.
    """

    unicast: tuple[float, float]
    multicast: tuple[float, float]
    bandwidth: float


ENGINES = {
    "Hopper": CopyEngines((17.50, 1.957), (14.90, 0.726), 392.0),
    "Blackwell": CopyEngines((32.04, 0.130), (29.14, 0.137), 779.0),
}


def sms_taken(channels: int, gpu: str = "H100") -> float:
    """The part of a GPU's SMs that a collective of so many channels takes, at most.

    >>> f"{sms_taken(24, 'H100'):.0%}"
    '18%'
    """
    number = whole("channels", channels, minimum=0, maximum=MOST_CHANNELS)
    return number / SMS[one_of("gpu", gpu, SMS)]


def copy_engine_seconds(
    size: float, ranks: int, generation: str = "Hopper", multicast: bool = False
) -> float:
    """Seconds of an all-gather of `size` bytes by copy engines, on one NVLink domain.

    multicast: each rank stores its chunk once, and the switch hands it to all.

    The time holds in place, without a CUDA graph, and with driver 13.4 or newer. A graph has other
    latencies. On x86, unicast out of place takes at least its latency and a chunk at 106 GB/s, and
    multicast with an older driver reaches at most min(106 GB/s, bandwidth / ranks) x ranks.

    >>> f"{copy_engine_seconds(1 << 30, 8) * 1e3:.2f} ms"
    '2.43 ms'
    """
    engines = ENGINES[one_of("generation", generation, ENGINES)]
    ranks, size = whole("ranks", ranks, minimum=1), not_negative("size", size, "bytes")
    multicast = instance("multicast", multicast, bool, "True")
    if ranks == 1:
        return 0.0
    base, per_rank = engines.multicast if multicast else engines.unicast
    passed = size / ranks * (ranks if multicast else ranks - 1)
    return (base + per_rank * ranks) * 1e-6 + passed / (engines.bandwidth * 1e9)
