"""Makes tests/data/simgrid.json: when SimGrid's flows and schedules end on platforms built here.

Run by hand, by the Python that SimGrid's module belongs to, which it runs once for each case:
    apt-get install python3-simgrid    /usr/bin/python3 tests/oracles/simgrid_program.py

SimGrid is set to CM02 without any correction for TCP. What is left of TCP in it: flows on a full
link get shares in inverse proportion to the latencies of their paths (equal ones at latency 0).
A flow waits the latency of its path, and uses no link meanwhile; then its bytes flow.
"""

import json
import random
import subprocess
import sys
from pathlib import Path

from simgrid_fluid import CONFIGURATION
from simgrid_platform import Platform

DATA = Path(__file__).parents[1] / "data" / "simgrid.json"
PLATFORMS = [  # kind, ranks, further parameter
    ("star", 6, "full"),
    ("star", 6, "half"),
    ("ring", 8, "full"),
    ("ring", 7, "half"),
    ("line", 5, "half"),
    ("fat-tree", 16, 4),  # spines: as many as ranks of a leaf
    ("fat-tree", 16, 2),  # oversubscribed
    ("fat-tree", 16, 1),
    ("shared-nic", 8, 2),  # ranks of a NIC
    ("shared-nic", 8, 4),
]
BANDWIDTH = 3.0


def start(case):
    """SimGrid's engine and the platform of a case."""
    from simgrid import Engine

    options = [f"--cfg={setting}" for setting in CONFIGURATION]
    engine = Engine(["simgrid", *options, "--log=root.thres:critical"])
    return engine, Platform(*case["platform"], BANDWIDTH, case["latency"])


def run_flows(case):
    """When each flow (source, destination, bytes, start) is there."""
    from simgrid import Actor, Comm, this_actor

    engine, platform = start(case)
    ends = [0.0] * len(case["flows"])

    def flow(number, src, dst, size, begin):
        this_actor.sleep_until(begin)
        Comm.sendto(platform.hosts[src], platform.hosts[dst], size)
        ends[number] = engine.clock

    for number, told in enumerate(case["flows"]):
        Actor.create(f"flow {number}", platform.hosts[told[0]], flow, number, *told)
    engine.run()
    return ends


def run_in_steps(case):
    """The time of a schedule whose steps wait for one another: all messages of a step at once."""
    from simgrid import Actor, Comm

    engine, platform = start(case)
    steps = SCHEDULES[case["schedule"]](case["platform"][1], case["sizes"])

    def walk():
        for step in steps:
            Comm.wait_all(
                [
                    Comm.sendto_async(platform.hosts[src], platform.hosts[dst], size)
                    for src, dst, size in step
                ]
            )

    Actor.create("all", platform.hosts[0], walk)
    engine.run()
    return engine.clock


def run_by_rank(case):
    """When each rank is done: in each step it sends and receives at once, then waits for both.

    A message begins when both of its ranks have come to the step.
    """
    from simgrid import Actor, Mailbox

    engine, platform = start(case)
    ranks = case["platform"][1]
    steps = list(SCHEDULES[case["schedule"]](ranks, case["sizes"]))
    ends = [0.0] * ranks

    def walk(rank):
        for number, step in enumerate(steps):
            sends = [
                Mailbox.by_name(f"{number}: {rank} to {dst}").put_async("", size)
                for src, dst, size in step
                if src == rank
            ]
            comes = [  # each with what is to hold the data, which has to live until then
                Mailbox.by_name(f"{number}: {src} to {rank}").get_async()
                for src, dst, _ in step
                if dst == rank
            ]
            for comm in sends + [comm for comm, _ in comes]:
                comm.wait()
        ends[rank] = engine.clock

    for rank in range(ranks):
        Actor.create(f"rank {rank}", platform.hosts[rank], walk, rank)
    engine.run()
    return ends


def run_by_port(case):
    """When each rank has all: an actor for each port sends, or takes, its messages in turn.

    A message begins when both of its ports are free and, but in an all-to-all, what the step
    before brought to its sender is there: this is added to it, or it is computed from this. In
    a ring and a line, ranks have a port for each neighbor.
    """
    from simgrid import Actor, Mailbox, Semaphore

    engine, platform = start(case)
    ranks = case["platform"][1]
    steps = list(SCHEDULES[case["schedule"]](ranks, case["sizes"]))
    waits = "all_to_all" not in case["schedule"]
    comes = {(dst, number) for number, step in enumerate(steps) for _, dst, _ in step}
    here = {(rank, number): Semaphore(0) for rank in range(ranks) for number in range(len(steps))}
    ends = [0.0] * ranks
    queues = {}
    for number, step in enumerate(steps):
        for src, dst, size in step:
            way = platform.way(src, dst)
            box = f"{number}: {src} to {dst}"
            queues.setdefault((src, "out", way), []).append((box, size, number))
            queues.setdefault((dst, "in", way), []).append((box, size, number))

    def send(rank, messages):
        for box, size, number in messages:
            if waits and (rank, number - 1) in comes:
                here[rank, number - 1].acquire()
            Mailbox.by_name(box).put("", size)

    def receive(rank, messages):
        for box, _, number in messages:
            Mailbox.by_name(box).get()
            here[rank, number].release()
        ends[rank] = max(ends[rank], engine.clock)

    for (rank, side, way), messages in queues.items():
        program = send if side == "out" else receive
        Actor.create(f"{rank} {side} {way}", platform.hosts[rank], program, rank, messages)
    engine.run()
    return ends


def ring_all_reduce(ranks, sizes):
    """Steps of (source, destination, bytes): chunks go round twice less one step each."""
    for step in range(2 * (ranks - 1)):
        behind = step + 1 if step < ranks - 1 else step - (ranks - 1)
        yield [(r, (r + 1) % ranks, sizes[(r - behind) % ranks]) for r in range(ranks)]


def doubling_all_reduce(ranks, sizes):
    """Whole sums are exchanged with the partner at twice the distance; a power of two."""
    distance = 1
    while distance < ranks:
        yield [(r, r ^ distance, sum(sizes)) for r in range(ranks)]
        distance *= 2


def pairwise_all_to_all(ranks, sizes):
    """Each rank sends to the next, the one after that, …, as many bytes as that one takes."""
    for step in range(1, ranks):
        yield [(r, (r + step) % ranks, sizes[(r + step) % ranks]) for r in range(ranks)]


def flat_all_to_all(ranks, sizes):
    """All at once."""
    yield [(r, d, sizes[d]) for r in range(ranks) for d in range(ranks) if d != r]


def ping_pong(ranks, sizes):
    """Even ranks send to the next, which then send back."""
    even = range(0, ranks - 1, 2)
    yield [(r, r + 1, sum(sizes)) for r in even]
    yield [(r + 1, r, sum(sizes)) for r in even]


def pipeline_activations(ranks, sizes):
    """Each stage computes an activation from what came in the step before, and sends it on."""
    for step in range(len(sizes) + ranks - 2):
        yield [(r, r + 1, sizes[step - r]) for r in range(ranks - 1) if 0 <= step - r < len(sizes)]


SCHEDULES = {
    "all_reduce ring": ring_all_reduce,
    "all_reduce recursive-doubling": doubling_all_reduce,
    "all_to_all pairwise": pairwise_all_to_all,
    "all_to_all flat": flat_all_to_all,
    "send_recv ping-pong": ping_pong,
    "send_recv pipeline-activations": pipeline_activations,
}
ASYNCHRONOUS = {
    "all_reduce ring": ("ports", "ranks"),
    "all_reduce recursive-doubling": ("ports", "ranks"),
    "all_to_all pairwise": ("ports",),
    "all_to_all flat": (),
    "send_recv ping-pong": ("ports", "ranks"),
    "send_recv pipeline-activations": ("ports", "ranks"),
}
RUNS = {"flows": run_flows, "steps": run_in_steps, "ports": run_by_port, "ranks": run_by_rank}


def cases():
    """What SimGrid is asked: flows of any size and start on every platform, and schedules."""
    for seed, platform in enumerate(PLATFORMS):
        for latency in (0.0, 0.25):
            pick = random.Random(2 * seed + (latency > 0))
            ranks = platform[1]
            flows = [
                [*pick.sample(range(ranks), 2), pick.randint(1, 40), pick.choice([0.0, 1.5, 4.0])]
                for _ in range(4 * ranks)
            ]
            yield {"run": "flows", "platform": platform, "latency": latency, "flows": flows}
        for schedule in SCHEDULES:
            if "doubling" in schedule and ranks & (ranks - 1):
                continue
            even, sizes = [6] * ranks, [pick.randint(1, 20) for _ in range(ranks)]
            for told in (even, sizes):
                for run in ("steps", "ports", "ranks"):
                    if run == "steps" or run in ASYNCHRONOUS[schedule]:
                        yield {
                            "run": run,
                            "platform": platform,
                            "latency": 0.0,
                            "schedule": schedule,
                            "sizes": told,
                        }


def main():
    """Ask all of it, each in a process of its own: an engine runs once."""
    version = [sys.executable, "-c", "import simgrid; print(simgrid.simgrid_version)"]
    told = subprocess.run(version, capture_output=True, text=True, check=True).stdout.strip()
    lines = []
    for case in cases():
        one = [sys.executable, __file__, json.dumps(case)]
        done = subprocess.run(one, capture_output=True, text=True, check=True)
        lines.append(json.dumps({**case, "ends": json.loads(done.stdout)}))
    head = {
        "source": f"SimGrid {told} (python3-simgrid of Debian), bandwidth {BANDWIDTH} B/s",
        "configuration": CONFIGURATION,
        "made_by": "tests/oracles/simgrid_program.py",
        "form": "flows: source, destination, bytes, start, and when each ends; "
        "steps: a schedule with a barrier after each, its time; ports and ranks: without, when "
        "each rank ends, by the functions run_by_port and run_by_rank",
    }
    text = json.dumps(head, indent=1)[:-2]
    listed = ",\n  ".join(lines)
    DATA.write_text(f'{text},\n "cases": [\n  {listed}\n ]\n}}\n')


if __name__ == "__main__":
    if len(sys.argv) > 1:
        asked = json.loads(sys.argv[1])
        print(json.dumps(RUNS[asked["run"]](asked)))
    else:
        main()
