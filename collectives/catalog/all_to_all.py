"""Algorithms for all-to-all."""

from collectives.algorithms import all_to_all
from collectives.catalog.forms import all_but_one
from collectives.catalog.levels import GPUS
from collectives.catalog.row import POWERS_OF_TWO, RADIX, Row, Setting
from collectives.theory import SENT, Case, Form, Letter, exact


def nonzero_digits(number: int, radix: int) -> int:
    """How many digits of a number are not 0.

    >>> nonzero_digits(0b10110, radix=2)
    3
    """
    return (number % radix > 0) + nonzero_digits(number // radix, radix) if number else 0


def digits(number: int, radix: int) -> int:
    """How many digits a number has.

    >>> digits(100, radix=10), digits(0, radix=10)
    (3, 0)
    """
    return 1 + digits(number // radix, radix) if number else 0


def hops(case: Case) -> int:
    """Hops of all blocks of one rank."""
    return sum(nonzero_digits(far, case.parameters["radix"]) for far in range(case.N))


def waiting(setting: Setting) -> int:
    """Slots in which blocks wait: one for each distance that takes several hops."""
    return sum(nonzero_digits(far, setting["radix"]) > 1 for far in range(setting.ranks))


def as_many_as_ranks(setting: Setting) -> int:
    """A slot for each block that comes to a rank's seat."""
    return setting.ranks


ONE_AT_A_TIME = all_but_one("N-1", "N*(N-1)", exact.all_but_the_smallest)

ROWS = (
    Row(
        "all_to_all",
        "flat",
        all_to_all.flat_all_to_all,
        all_but_one("1", "N*(N-1)", exact.all_but_the_smallest),
        optimal="RBT",
        used_by="MPICH (scattered) and Open MPI (linear), medium blocks; MSCCL on one node",
        source="Open MPI, coll_base_alltoall.c, linear; all ports at once",
        also=("direct", "linear"),
    ),
    Row(
        "all_to_all",
        "pairwise",
        all_to_all.pairwise_all_to_all,
        ONE_AT_A_TIME,
        optimal="BT",
        used_by="MPICH above 32 KiB where N is no power of two; Open MPI (pairwise); Gloo",
        source="Thakur, Rabenseifner and Gropp, IJHPCA 19(1), 2005",
        also=("linear-shift",),
    ),
    Row(
        "all_to_all",
        "exchange",
        all_to_all.exchange_all_to_all,
        ONE_AT_A_TIME,
        optimal="BT",
        used_by="MPICH (pairwise) above 32 KiB where N is a power of two",
        source="Thakur, Rabenseifner and Gropp, IJHPCA 19(1), 2005",
        sizes=POWERS_OF_TWO,
        also=("xor",),
    ),
    Row(
        "all_to_all",
        "triangular",
        all_to_all.triangular_all_to_all,
        ONE_AT_A_TIME,
        optimal="BT",
        used_by="NCCL, whose groups of sends and receives meet their peers in this order",
        source="NCCL, its schedule of point-to-point peers",
        also=("nccl", "shifted"),
    ),
    Row(
        "all_to_all",
        "bruck",
        all_to_all.bruck_all_to_all,
        Form(
            "(radix-1)*(K-1)+(N-1)//radix**(K-1)",
            "N*((radix-1)*(K-1)+(N-1)//radix**(K-1))",
            "D/N*S",
            "D*S",
            SENT,
            where=(
                Letter(
                    "K",
                    "digits of N-1 in base radix",
                    lambda case: digits(case.N - 1, case.parameters["radix"]),
                ),
                Letter("D", "nonzero digits of 1 to N-1 in base radix", hops),
            ),
        ),
        optimal="R",
        used_by="MPICH (brucks), blocks to 256 B on 8 ranks and more; Open MPI (modified Bruck)",
        source="Bruck et al., IEEE TPDS 8(11), 1997",
        scratch=waiting,
        takes=(RADIX,),
        name="Bruck",
    ),
    Row(
        "all_to_all",
        "hierarchical",
        all_to_all.hierarchical_all_to_all,
        Form(
            "min(1, gpus-1)+min(1, N/gpus-1)",
            "N*(gpus+N/gpus-2)",
            "(2*N-gpus-N/gpus)/N*S",
            "(2*N-gpus-N/gpus)*S",
            SENT,
        ),
        optimal="R",
        used_by="MSCCL (two-step), several nodes: one large message for each remote node",
        source="MSCCL tools, a2a_2step",
        scratch=as_many_as_ranks,
        takes=(GPUS,),
        also=("two-step",),
    ),
)
