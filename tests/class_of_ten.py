"""Ten made students, each with what must become of the homework, others, and the homework."""

from collectives.grading import scaffold

HEAD = "import numpy as np\nfrom collectives import send\n"
RING = """
def ring_all_gather(n):
    rank = np.arange(n)
    for step in range(n - 1):
        # every rank passes on a chunk
        yield send(rank, (rank + 1) % n, (rank - step) % n)
"""
FLAT_RING = """
def ring_all_gather(n):
    rank = np.arange(n)
    for step in range(n - 1):
        for src in range(n):
            yield send(src, (src + 1) % n, (src - step) % n)
"""
ENDLESS = """
import time
def ring_all_gather(n):
    while True:
        time.sleep(0.01)
"""
LEAVING = """
import os
def ring_all_gather(n):
    os._exit(0)
    yield
"""
SHADOWING = """
import collectives.proof.prove, collectives.grading.judging
collectives.proof.prove.prove = collectives.grading.judging.judged_file = lambda *_: True
class send(tuple): pass
def ring_all_gather(n):
    yield send()
"""
BY_ZERO = RING.replace("rank = ", "rank = 1 / 0 + ")
TOO_EARLY = HEAD + RING.replace("n - 1", "n - 2")
STUDENTS = {  # the file, the points of 10, and the kind of what is wrong
    "right": (HEAD + RING, 10, ""),
    "untouched": (None, 0, "not answered"),
    "off_by_one": (TOO_EARLY, 0, "it stops too early: data is missing"),
    "flat_ring": (HEAD + FLAT_RING, 8, "more steps than need be"),
    "endless": (ENDLESS, 0, "does not end"),
    "raising": (HEAD + BY_ZERO, 0, "raises ZeroDivisionError"),
    "printing": (HEAD + RING.replace("    for", "    print('x' * 10**6)\n    for"), 10, ""),
    "leaving": (HEAD + LEAVING, 0, "ends its process"),
    "shadowing": (HEAD + SHADOWING, 0, "yields no steps"),
    "long": (HEAD + RING + "#" * (10 << 20), 0, "file not run"),
}
BORROWED = """
from collectives.algorithms.ring import ring_all_gather as taken
def ring_all_gather(n):
    yield from taken(n)
"""
HUNGRY = "def ring_all_gather(n):\n    return bytearray(1 << 34)\n"
MANY = "def ring_all_gather(n):\n    yield send(np.arange(10**6) % n, 0, 0)\n"


def homework(path, ranks="1-4"):
    """Write the lecturer's file, and give it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(scaffold(path.name).replace('ranks = "1-16"', f'ranks = "{ranks}"'))
    return path


def handed_in(key, folder):
    """Make GitHub Classroom's folder of one student who hands in the solution."""
    copy = folder / "ring-lab-ann" / key.name
    copy.parent.mkdir(parents=True)
    copy.write_text(key.read_text())
