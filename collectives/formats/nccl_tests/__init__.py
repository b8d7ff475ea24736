"""What nccl-tests and rccl-tests print, such as `all_reduce_perf`, read as tables of times."""

from collectives.formats.nccl_tests.measured_tables import (
    MAX_RANKS,
    BenchmarkRow,
    Table,
    Timed,
    has_rates_of,
    ranks_by_rates,
)
from collectives.formats.nccl_tests.reader import read

__all__ = ["MAX_RANKS", "BenchmarkRow", "Table", "Timed", "has_rates_of", "ranks_by_rates", "read"]
