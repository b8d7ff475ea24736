"""Algorithms for all-to-all."""

from collectives.catalog.row import Row

ROWS: tuple[Row, ...] = ()
