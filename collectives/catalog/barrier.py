"""Algorithms for barrier."""

from collectives.catalog.row import Row

ROWS: tuple[Row, ...] = ()
