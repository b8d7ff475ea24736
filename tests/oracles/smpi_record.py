"""Makes tests/data/smpi.json: how long SMPI's own collectives take on machines told here.

Run by hand:
    apt-get install libsimgrid-dev    python tests/oracles/smpi_record.py

SMPI sends 16 bytes of its own with every message; nothing else is added in this configuration.
"""

import json
import re
import subprocess
import tempfile
from pathlib import Path

from simgrid_fluid import CONFIGURATION as FLUID

CONFIGURATION = [
    *FLUID,
    "smpi/simulate-computation:0",
    "smpi/async-small-thresh:0",
    "smpi/send-is-detached-thresh:0",
    "smpi/wtime:0",
]
HERE = Path(__file__).parent
BANDWIDTH = 1e6  # bytes per second of every link
BLOCK = 1000  # bytes for each rank
PLATFORMS = [  # kind, ranks, further parameter, latency of a link
    ("star", 8, "full", 0.0),
    ("star", 8, "full", 1e-4),
    ("star", 8, "half", 0.0),
    ("ring", 8, "full", 0.0),
    ("ring", 8, "half", 0.0),
    ("ring", 6, "full", 0.0),
    ("tree", 8, 4, 0.0),  # ranks of a leaf, which has one link up
    ("tree", 16, 4, 0.0),
]
ALGORITHMS = [
    ("allreduce", "lr"),
    ("allreduce", "rdb"),
    ("allreduce", "rab_rdb"),
    ("allgather", "ring"),
    ("allgather", "rdb"),
    ("allgather", "bruck"),
    ("alltoall", "pair"),
    ("alltoall", "ring"),
    ("bcast", "binomial_tree"),
]


def ways(kind, ranks, more, src, dst):
    """The links of a path, each a direction and where it begins."""
    if kind == "ring":
        ahead = (dst - src) % ranks
        there = 1 if ahead <= ranks // 2 else -1
        hops = min(ahead, ranks - ahead)
        at = [(src + there * k) % ranks for k in range(hops)]
        if more == "half":
            return [("both", a if there == 1 else (a - 1) % ranks) for a in at]
        return [("next" if there == 1 else "back", a) for a in at]
    if more == "half":
        return [("both", src), ("both", dst)]
    above = [("out", src // more), ("in", dst // more)] if kind == "tree" else []
    if kind == "tree" and src // more == dst // more:
        above = []
    return [("up", src), *above, ("down", dst)]


def platform(kind, ranks, more, latency):
    """The machine as an XML text of SimGrid's."""
    links, routes = {}, []
    for src in range(ranks):
        for dst in range(ranks):
            if src != dst:
                path = [f"{way}-{at}" for way, at in ways(kind, ranks, more, src, dst)]
                links |= dict.fromkeys(path)
                told = "".join(f'<link_ctn id="{link}"/>' for link in path)
                routes.append(f'<route src="h{src}" dst="h{dst}" symmetrical="NO">{told}</route>')
    hosts = [f'<host id="h{rank}" speed="1Gf"/>' for rank in range(ranks)]
    told = [f'<link id="{k}" bandwidth="{BANDWIDTH}Bps" latency="{latency}s"/>' for k in links]
    head = '<?xml version="1.0"?><!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">'
    zone = "\n".join(['<zone id="all" routing="Full">', *hosts, *told, *routes, "</zone>"])
    return f'{head}<platform version="4.1">{zone}</platform>'


def seconds(folder, machine, operation, name):
    """What SMPI says of one of its algorithms."""
    ranks = machine[1]
    (folder / "platform.xml").write_text(platform(*machine))
    (folder / "hosts").write_text("".join(f"h{rank}\n" for rank in range(ranks)))
    command = ["smpirun", "-np", str(ranks), "-hostfile", str(folder / "hosts")]
    command += ["-platform", str(folder / "platform.xml"), "--log=root.thres:critical"]
    command += [f"--cfg={setting}" for setting in (*CONFIGURATION, f"smpi/{operation}:{name}")]
    command += [str(folder / "program"), operation, str(BLOCK * ranks)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return float(re.search(r"^seconds (\S+)", done.stdout, re.MULTILINE)[1])


def main():
    """Run every algorithm on every machine."""
    lines = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        program = ["smpicc", "-O1", "-o", folder / "program", HERE / "smpi_program.c"]
        subprocess.run(program, check=True)
        for machine in PLATFORMS:
            for operation, algorithm in ALGORITHMS:
                if algorithm in ("rdb", "pair") and machine[1] & (machine[1] - 1):
                    continue
                time = seconds(folder, machine, operation, algorithm)
                lines.append(json.dumps([machine, operation, algorithm, time]))
    told = subprocess.run(["smpirun", "--version"], capture_output=True, text=True, check=True)
    head = {
        "source": f"{told.stdout.strip().splitlines()[0]}, SMPI (libsimgrid-dev of Debian)",
        "configuration": CONFIGURATION,
        "made_by": "tests/oracles/smpi_record.py",
        "bandwidth": BANDWIDTH,
        "block": BLOCK,
        "form": "machine (kind, ranks, more, latency of a link), operation, SMPI's algorithm, "
        "seconds until the last rank has left it; block: bytes of each rank",
    }
    text = json.dumps(head, indent=1)[:-2]
    listed = ",\n  ".join(lines)
    (HERE.parent / "data" / "smpi.json").write_text(f'{text},\n "cases": [\n  {listed}\n ]\n}}\n')


if __name__ == "__main__":
    main()
