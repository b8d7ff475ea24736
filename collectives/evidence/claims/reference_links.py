"""Claims 1 to 12 of the page on interconnects: links and switches."""

from collectives.cost.machines.links import find_link
from collectives.evidence import readings as m
from collectives.evidence.claims.claim import Claim, Part, about, between, printed

HBM = 8000  # GB/s of the memory of a B200
GIGABYTE = 1e9
CODING = {3: 128 / 130, 4: 128 / 130, 5: 128 / 130, 6: 242 / 256}  # of the raw rate that is data


def _copies(link: str, said: str, what: str) -> Part:
    """The time of a copy of 1 GB over a link."""
    readings = {"one way": lambda: m.copy_milliseconds(GIGABYTE, m.one_way(link))}
    if link.startswith("nvlink"):
        readings["both directions"] = lambda: m.copy_milliseconds(GIGABYTE, m.both_ways(link))
    return Part(what, "ms", printed(said), readings)


def _all_reduce(link: str, said: str, what: str) -> Part:
    """The time of an all-reduce of 1 GB over a link."""
    return Part(what, "ms", printed(said), {"8 ranks": lambda: m.milliseconds(GIGABYTE, 8, link)})


def _raw(generation: int, said: str) -> Part:
    """GB/s of 16 lanes, coding included."""
    return Part(
        f"PCIe {generation}",
        "GB/s",
        printed(said),
        {"raw": lambda: m.one_way(f"pcie{generation}") / CODING[generation]},
    )


def _nvlink(generation: int, said: str) -> Part:
    """GB/s of NVLink."""
    return Part(
        f"NVLink {generation}",
        "GB/s",
        printed(said),
        {"both directions": lambda: m.both_ways(f"nvlink{generation}")},
    )


def _links_of_a_gpu() -> float:
    """NVLink 5 has links of 50 GB/s each way."""
    return m.one_way("nvlink5") / 50


FIRST = (
    Claim(
        1,
        "1 GB takes 0.6 ms over NVLink 5, 16 ms over PCIe, 80 ms over 100G",
        "the first adds up both directions: 1.1 ms one way",
        (
            _copies("nvlink5", "0.6", "NVLink 5"),
            _copies("pcie5", "16", "PCIe 5"),
            _copies("ethernet-100", "80", "100G"),
        ),
    ),
    Claim(
        2,
        "a spread of 130",
        "144 with both directions of NVLink, 72 like with like",
        (
            Part(
                "NVLink 5 against 100G",
                "x",
                about(130),
                {
                    "one way": lambda: m.one_way("nvlink5") / m.one_way("ethernet-100"),
                    "both directions": lambda: m.both_ways("nvlink5") / m.one_way("ethernet-100"),
                },
            ),
        ),
    ),
    Claim(
        3,
        "synchronizing 1 GB of gradients takes as long",
        "that is one copy: an all-reduce of 8 ranks sends 1.75 GB each",
        (
            _all_reduce("nvlink5", "0.6", "NVLink 5"),
            _all_reduce("pcie5", "16", "PCIe 5"),
            _all_reduce("ethernet-100", "80", "100G"),
        ),
    ),
    Claim(
        4,
        "each step away from the die costs an order of magnitude",
        "memory to NVLink and NVLink to PCIe do, PCIe to the network does not",
        (
            Part(
                "slower",
                "x",
                between(5, 20),
                {
                    "NVLink than memory": lambda: HBM / m.one_way("nvlink5"),
                    "PCIe 5 than NVLink": lambda: m.one_way("nvlink5") / m.one_way("pcie5"),
                    "NDR than PCIe 5": lambda: m.one_way("pcie5") / m.one_way("ib-ndr"),
                },
            ),
        ),
    ),
    Claim(
        5,
        "PCIe x16 has 16, 32, 64 and 128 GB/s each way",
        "raw rates: 15.75, 31.5, 63 and 121 are left by coding",
        (_raw(3, "16"), _raw(4, "32"), _raw(5, "64"), _raw(6, "128")),
    ),
    Claim(
        6,
        "NVLink 1 to 5: 160, 300, 600, 900, 1800 GB/s, both directions",
        "as the page says",
        (
            _nvlink(1, "160"),
            _nvlink(2, "300"),
            _nvlink(3, "600"),
            _nvlink(4, "900"),
            _nvlink(5, "1800"),
        ),
    ),
    Claim(
        7,
        "NVLink's latency is about 1 us",
        "of a link; a collective takes many of them",
        (
            Part(
                "latency",
                "us",
                between(0.5, 2),
                {
                    "typical": lambda: find_link("nvlink5").latency * 1e6,
                    "a hop, by NCCL's tuner": m.hop_microseconds,
                },
            ),
        ),
    ),
    Claim(
        9,
        "NVSwitch lets every pair talk at full rate at once",
        "if each GPU talks to one other; what it has is shared among its partners",
        (
            Part(
                "a pair of 8 H100",
                "GB/s",
                printed("450"),
                {
                    "one partner each": lambda: (
                        m.one_way(m.NVLINK) / m.ports("all_to_all", "pairwise", 8)
                    ),
                    "all pairs": lambda: m.one_way(m.NVLINK) / m.ports("all_to_all", "flat", 8),
                },
            ),
        ),
    ),
    Claim(
        10,
        "a GPU of HGX H100 has 900 GB/s",
        "both directions added",
        (_nvlink(4, "900"),),
    ),
    Claim(
        11,
        "72 GPUs of NVL72 have 130 TB/s",
        "both directions added: 129.6",
        (
            Part(
                "72 x NVLink 5",
                "TB/s",
                printed("130"),
                {"both directions": lambda: 72 * m.both_ways("nvlink5") / 1000},
            ),
        ),
    ),
    Claim(
        12,
        "each switch chip of NVL72 has 144 ports and 14.4 TB/s",
        "a tray of two chips has; 18 chips serve the 1296 links of 72 GPUs",
        (
            Part(
                "ports of a chip",
                "",
                printed("144"),
                {"links, by 9 x 2 chips": lambda: 72 * _links_of_a_gpu() / (9 * 2)},
            ),
            Part(
                "a chip",
                "TB/s",
                printed("14.4"),
                {"both directions": lambda: 72 * m.both_ways("nvlink5") / (9 * 2) / 1000},
            ),
        ),
    ),
)
