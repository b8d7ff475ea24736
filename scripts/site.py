"""Builds the site into a folder: python scripts/site.py FOLDER [COLLECTIVE ...]; FILMS=1: films."""

import os
import sys

from animations.site import build_site
from collectives.errors import BadInput, NotInstalled


def main() -> int:
    """Build it and print what was made; 2 for bad input, 3 where something is not installed."""
    folder, *only = sys.argv[1:] or ["build/site"]
    films = os.environ.get("FILMS", "") not in ("", "0")
    try:
        print("\n".join(build_site(folder, only or None, films).lines()))
    except (BadInput, NotInstalled) as problem:
        print(problem, file=sys.stderr)
        return 2 if isinstance(problem, BadInput) else 3
    return 0


if __name__ == "__main__":
    sys.exit(main())
