"""Print every speed goal as a median, with the command or call that was measured.

python -m tests.benchmarks [NAME …]
"""

import sys

from tests.benchmarks import core, cost, film, films, landing, learning, page, reading, startup

BENCHMARKS = {
    "check": core.check_all,
    "data": core.ring_with_data,
    "counts": core.ring_counts,
    "proof": core.ring_proof,
    "msccl": core.msccl_import,
    "hierarchical": core.hierarchical_schedule,
    "cost": cost.everything,
    "startup": startup.imports,
    "film": film.rendering,
    "films": films.standing_list,
    "page": page.repaint,
    "learning": learning.measures,
    "landing": landing.opening,
    "reading": reading.recording_to_cell,
}


def main(names: list[str]) -> None:
    """Run the benchmarks of these names, or all."""
    unknown = set(names) - set(BENCHMARKS)
    if unknown:
        raise SystemExit(f"unknown: {', '.join(unknown)}; choose from {', '.join(BENCHMARKS)}")
    for name in names or BENCHMARKS:
        for line in BENCHMARKS[name]():
            print(line, flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
