"""Published measurements of nccl-tests, each beside the model of its machine."""

from collectives.evidence.measured.rows import (
    CLOSE,
    Comparison,
    Measured,
    compare,
    explain,
    read,
    table,
)

__all__ = ["CLOSE", "Comparison", "Measured", "compare", "explain", "read", "table"]
