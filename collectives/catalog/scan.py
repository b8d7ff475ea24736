"""Algorithms for scan."""

from collectives.catalog.row import Row

ROWS: tuple[Row, ...] = ()
