"""A slow interpreter of MSCCL programs, in any order that they allow; shares no code with ours.

Every thread block does one small thing at a time: an operation that adds first reads, and writes
at its next turn, so that additions to one chunk at once lose one of them, as on a GPU.
"""

from collections import Counter, deque
from xml.etree import ElementTree

ADDS = ("rrs", "rrc", "rrcs", "re")
TAKES, GIVES = ("r", "rcs", "rrs", "rrc", "rrcs"), ("s", "rcs", "rrs", "rrcs")
READS, WRITES = ("s", "rrs", "rrc", "rrcs", "cpy", "re"), ("r", "rcs", "rrc", "rrcs", "cpy", "re")


class Program:
    """The blocks of a file, each a list of steps as dicts, and where its chunks are."""

    def __init__(self, content, in_place):
        root = ElementTree.fromstring(content)
        self.loop, self.ranks = int(root.get("nchunksperloop")), int(root.get("ngpus"))
        self.collective, self.in_place = root.get("coll"), in_place
        self.blocks = {}
        for gpu in root:
            for tb in gpu.iter("tb"):
                steps = [dict(step.attrib) for step in tb]
                key = int(gpu.get("id")), int(tb.get("id"))
                self.blocks[key] = [int(tb.get(name)) for name in ("send", "recv", "chan")], steps

    def place(self, gpu, buffer, offset):
        """A chunk, by the name that it has in all buffers that are the same memory."""
        share = self.loop // self.ranks
        if buffer == "i" and self.collective == "allgather":
            return (gpu, "o", gpu * share + offset) if self.in_place else (gpu, "i", offset)
        if buffer == "o" and self.in_place:
            shift = gpu * share if self.collective == "reduce_scatter" else 0
            return gpu, "o" if self.collective == "allgather" else "i", shift + offset
        return gpu, buffer, offset

    def start(self):
        """What the chunks hold at first: whose contribution."""
        mine = self.loop // self.ranks if self.collective == "allgather" else self.loop
        return {
            self.place(gpu, "i", chunk): Counter([(gpu, chunk)])
            for gpu in range(self.ranks)
            for chunk in range(mine)
        }

    def used(self, key, step):
        """The chunks that a step reads, and those that it writes."""
        kind, count = step["type"], int(step["cnt"])

        def places(end):
            first = int(step[f"{end}off"])
            return {self.place(key[0], step[f"{end}buf"], first + k) for k in range(count)}

        reads = places("src") if kind in READS else set()
        reads |= places("dst") if kind == "re" else set()
        return reads, places("dst") if kind in WRITES else set()

    def without(self, key, index):
        """The same program with one wait less."""
        found = object.__new__(Program)
        found.__dict__.update(self.__dict__)
        ends, steps = self.blocks[key]
        steps = [{**step, "depid": "-1"} if at == index else step for at, step in enumerate(steps)]
        found.blocks = {**self.blocks, key: (ends, steps)}
        return found

    def xml(self, content):
        """The file with the waits of these blocks."""
        root = ElementTree.fromstring(content)
        for gpu in root:
            for tb in gpu.iter("tb"):
                _, steps = self.blocks[int(gpu.get("id")), int(tb.get("id"))]
                for element, step in zip(tb, steps, strict=True):
                    element.set("depid", step["depid"])
        return ElementTree.tostring(root)


class Machine:
    """A run of a program in one order."""

    def __init__(self, program):
        self.program, self.held = program, program.start()
        self.at = dict.fromkeys(program.blocks, 0)
        self.half = {}  # sums that are read and not yet written, by block
        self.flag = dict.fromkeys(program.blocks, -1)
        self.wires = {}
        self.unset = False

    def ready(self, key):
        (_, peer, channel), steps = self.program.blocks[key]
        if self.at[key] == len(steps):
            return False
        step = steps[self.at[key]]
        after = int(step["depid"])
        if after >= 0 and self.flag[key[0], after] < int(step["deps"]):
            return False
        wire = self.wires.get((peer, key[0], channel))
        return key in self.half or step["type"] not in TAKES or bool(wire)

    def turn(self, key):
        """A block does its next small thing."""
        (to, peer, channel), steps = self.program.blocks[key]
        step = steps[self.at[key]]
        kind, count = step["type"], int(step["cnt"])
        if key in self.half:
            found = self.half.pop(key)
        else:
            found = self._found(key, step, kind, count, (peer, key[0], channel))
            if kind in ADDS and kind != "rrs":
                self.half[key] = found
                return
        if kind in WRITES:
            for k, value in enumerate(found):
                self.held[self._place(key, step, "dst", k)] = value
        if kind in GIVES:
            self.wires.setdefault((key[0], to, channel), deque()).append(found)
        self.at[key] += 1
        if step["hasdep"] == "1" and kind != "nop":
            self.flag[key] = int(step["s"])

    def _found(self, key, step, kind, count, wire):
        """What a step reads, receives, or the sum of both."""
        parts = [self.wires[wire].popleft()] if kind in TAKES else []
        ends = ["src"] * (kind in READS) + ["dst"] * (kind == "re")
        for end in ends:
            parts.append([self._read(self._place(key, step, end, k)) for k in range(count)])
        return [sum(each, Counter()) for each in zip(*parts, strict=True)]

    def _read(self, place):
        self.unset |= place not in self.held
        return self.held.get(place, Counter())

    def _place(self, key, step, end, k):
        return self.program.place(key[0], step[f"{end}buf"], int(step[f"{end}off"]) + k)


def outcome(program, generator):
    """What an order leaves in the output, drawn by the generator; "unset" if it reads nothing.

    Blocks have random priorities, so that some run far ahead of others.
    """
    machine = Machine(program)
    order = [*program.blocks]
    generator.shuffle(order)
    while ready := [key for key in order if machine.ready(key)]:
        machine.turn(ready[0])
        if generator.random() < 0.1:
            generator.shuffle(order)
    assert all(machine.at[key] == len(steps) for key, (_, steps) in program.blocks.items())
    if machine.unset:
        return "unset"
    ends = {program.place(gpu, "o", k) for gpu in range(program.ranks) for k in range(program.loop)}
    return {place: +machine.held[place] for place in sorted(ends) if place in machine.held}


def races(program):
    """All pairs of steps that use one chunk, which one of them writes, and that nothing orders."""
    flags, used, sent, received = {}, {}, {}, {}
    for key, ((to, peer, channel), steps) in program.blocks.items():
        flags[key] = {
            int(step["s"]): at
            for at, step in enumerate(steps)
            if step["hasdep"] == "1" and step["type"] != "nop"
        }
        for at, step in enumerate(steps):
            used[key, at] = program.used(key, step)
            if step["type"] in GIVES:
                sent.setdefault((key[0], to, channel), []).append((key, at))
            if step["type"] in TAKES:
                received.setdefault((peer, key[0], channel), []).append((key, at))
    arrived = {
        r: s for wire, ends in received.items() for r, s in zip(ends, sent[wire], strict=True)
    }

    def direct(node):
        key, at = node
        step = program.blocks[key][1][at]
        if at:
            yield key, at - 1
        if int(step["depid"]) >= 0:
            other = key[0], int(step["depid"])
            yield other, min(a for s, a in flags[other].items() if s >= int(step["deps"]))
        if node in arrived:
            yield arrived[node]

    def past(node):
        seen, left = set(), [node]
        while left:
            for other in direct(left.pop()):
                if other not in seen:
                    seen.add(other)
                    left.append(other)
        return seen

    known = {node: past(node) for node in used}
    nodes = sorted(used)
    return {
        (one, other)
        for number, one in enumerate(nodes)
        for other in nodes[:number]
        if one[0] != other[0]
        and (used[one][1] & (used[other][0] | used[other][1]) or used[other][1] & used[one][0])
        and one not in known[other]
        and other not in known[one]
    }
