"""How long a schedule takes: machines, clocks, what libraries choose, and what was measured."""
