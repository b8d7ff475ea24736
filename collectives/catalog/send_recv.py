"""Algorithms for send-recv."""

from collectives.catalog.row import Row

ROWS: tuple[Row, ...] = ()
