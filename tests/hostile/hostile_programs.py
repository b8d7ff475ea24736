"""Hostile MSCCL programs: name, content, exit status, words of the line on stderr."""

from msccl_programs import RING, program

TEXT = RING.decode()


def but(old, new, text=TEXT, times=1):
    """The ring of three with other words."""
    assert old in text
    return text.replace(old, new, times).encode()


def one(steps, **more):
    """A program of one GPU with these steps in its only block."""
    return program("allreduce", [f"-1 -1 0: {steps}"], **more)


BOMB = '<!DOCTYPE a [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]><algo>&b;</algo>'
OUTSIDE = '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><algo name="&x;"/>'
CIRCLE = ["-1 -1 0: cpy i0 s0 1 1/0", "-1 -1 0: cpy i0 s1 1 0/0"]
UNFLAGGED = program("allreduce", CIRCLE).replace(b'hasdep="1"', b'hasdep="0"')
NAMED = "gpu 0, tb 0, step 0 (cpy) waits for the flag of gpu 0, tb 1, step 0 (cpy)"


def copied(copy, **more):
    """A program of one GPU with a copy element before its block."""
    text = program("allreduce", ["-1 -1 0: nop"], **{"sizes": {"o": 1}, **more}).decode()
    return but('<tb id="0"', f'{copy}<tb id="0"', text)


def copied_and_awaited(copies, waiting, own=0):
    """The XML of a block of copies, and many blocks that wait for one of these and copy as well."""
    ends, move = 'send="-1" recv="-1" chan="0"', 'type="cpy" dstbuf="s" cnt="1"'
    steps = "".join(f'<step s="{s}" {move} hasdep="1"/>' for s in range(copies))
    move += f' srcbuf="s" dstoff="{own}" depid="0"'
    blocks = "".join(
        f'<tb id="{b}" {ends}><step s="0" {move} deps="{b * 7919 % copies}"/></tb>'
        for b in range(1, waiting + 1)
    )
    head = '<algo coll="allreduce" ngpus="1" nchunksperloop="1" inplace="1">'
    gpu = '<gpu id="0" i_chunks="1" o_chunks="0" s_chunks="2">'
    return f'{head}{gpu}<tb id="0" {ends}>{steps}</tb>{blocks}</gpu></algo>'.encode()


CASES = [
    ("empty.xml", b"", 2, "not XML"),
    ("text.xml", b"hello", 2, "not XML"),
    ("binary.xml", bytes(range(256)), 2, "not XML"),
    ("cut.xml", RING[: len(RING) // 2], 2, "not XML"),
    ("encoding.xml", b'<?xml version="1.0" encoding="nowhere"?><algo/>', 2, "not XML"),
    ("html.xml", b"<html><body/></html>", 2, "<algo>"),
    ("bomb.xml", BOMB.encode(), 2, "entities"),
    ("outside.xml", OUTSIDE.encode(), 2, "entities"),
    ("deep.xml", b"<algo>" * 20_000, 2, "deep"),
    ("wide.xml", b"<algo>" + b"<a/>" * 1_500_000 + b"</algo>", 2, "262144 elements"),
    ("long.xml", b"<algo>" + b" " * (9 << 20) + b"</algo>", 2, "8 MiB"),
    ("inside.xml", but("<gpu", "<cpu/><gpu"), 2, "<gpu>"),
    ("no_gpus.xml", but('ngpus="3"', ""), 2, "ngpus"),
    ("many_gpus.xml", but('ngpus="3"', 'ngpus="1000000000"'), 2, "ngpus"),
    ("four_gpus.xml", but('ngpus="3"', 'ngpus="4"'), 2, "gpu 3 is missing"),
    ("negative_gpus.xml", but('ngpus="3"', 'ngpus="-3"'), 2, "ngpus=-3"),
    ("digits.xml", but('ngpus="3"', f'ngpus="{"9" * 5000}"'), 2, "ngpus"),
    ("fraction.xml", but('ngpus="3"', 'ngpus="3.5"'), 2, "whole number"),
    ("other_digits.xml", but('ngpus="3"', 'ngpus="٣"'), 2, "whole number"),
    ("twice.xml", but('id="1" i_chunks', 'id="0" i_chunks'), 2, "gpu 0 occurs twice"),
    ("unknown.xml", but("allreduce", "allreduced"), 2, "allreduced"),
    ("no_collective.xml", but('coll="allreduce"', ""), 2, "coll"),
    ("no_loop.xml", but('nchunksperloop="3"', 'nchunksperloop="0"'), 2, "nchunksperloop"),
    ("chunks.xml", but('i_chunks="3"', 'i_chunks="-3"'), 2, "i_chunks=-3"),
    ("huge_chunks.xml", but('i_chunks="3"', 'i_chunks="99999999"'), 2, "i_chunks"),
    ("huge_scratch.xml", but('s_chunks="2"', 's_chunks="65536"', times=3), [0, 2], ""),
    ("length.xml", but('i_chunks="3"', 'i_chunks="5"'), 2, "i_chunks=5"),
    (
        "share.xml",
        but('coll="allreduce"', 'coll="allgather"', but('loop="3"', 'loop="4"').decode()),
        2,
        "try: 3",
    ),
    ("type.xml", but('type="rrs"', 'type="rsr"'), 2, "did you mean"),
    ("buffer.xml", but('srcbuf="i"', 'srcbuf="io"'), 2, "srcbuf"),
    ("offset.xml", but('srcoff="0"', 'srcoff="3"'), 2, "i has 3 chunks"),
    ("negative_offset.xml", but('srcoff="0"', 'srcoff="-1"'), 2, "srcoff=-1"),
    ("count.xml", but('cnt="1"', 'cnt="-1"'), 2, "cnt=-1"),
    ("no_count.xml", but('cnt="1"', 'cnt="0"'), 2, "cnt=0"),
    ("without_count.xml", but('cnt="1"', ""), 2, "has no cnt"),
    ("huge_count.xml", but('cnt="1"', 'cnt="65536"'), 2, "i has 3 chunks"),
    ("order.xml", but(' s="1"', ' s="0"'), 2, "numbered in order"),
    ("peer.xml", but('send="1"', 'send="3"'), 2, "send=3"),
    ("itself.xml", but('send="1"', 'send="0"'), 2, "itself"),
    ("nobody.xml", but('send="1"', 'send="-1"'), 2, "needs a peer"),
    ("no_channel.xml", but('chan="0"', ""), 2, "chan"),
    ("channels.xml", but('chan="0"', 'chan="1"'), 2, "channel"),
    ("no_block.xml", but('depid="-1"', 'depid="7"'), 2, "tb 7, which does not exist"),
    ("no_step.xml", one("nop - - 0 0/9"), 2, "step 9 of tb 0"),
    ("circle.xml", program("allreduce", CIRCLE), 2, "never ends"),
    ("itself_first.xml", one("cpy i0 s0 1 0/0"), 2, "never ends"),
    ("no_flag.xml", UNFLAGGED, 2, NAMED),
    (
        "flag_of_a_nop.xml",
        one("nop; cpy i0 s0 1 0/0").replace(b'"cpy"', b'"nop"'),
        2,
        "a nop has none",
    ),
    ("flag.xml", but('hasdep="0"', 'hasdep="2"'), 2, "hasdep=2"),
    ("copy_from_nowhere.xml", copied('<copy o_off="0"/>'), 2, "gpu 0, copy 0: has no i_off"),
    ("copy_to_nowhere.xml", copied('<copy i_off="0"/>'), 2, "gpu 0, copy 0: has no o_off"),
    ("copy_behind.xml", copied('<copy i_off="1" o_off="0"/>'), 2, "i_off=1 must be 0 to 0"),
    ("copy_too_long.xml", copied('<copy i_off="0" o_off="0" cnt="2"/>'), 2, "cnt=2 must be 1 to 1"),
    (
        "copy_to_none.xml",
        copied('<copy i_off="0" o_off="0"/>', sizes={"o": 0}),
        2,
        "o has 0 chunks",
    ),
    ("copy_in_block.xml", but("<step", '<copy i_off="0" o_off="0"/><step'), 2, "<copy> in <tb>"),
    (
        "deadlock.xml",
        program("allreduce", ["1 1 0: r - i0; s i0"], ["0 0 0: r - i0; s i0"]),
        2,
        "never ends",
    ),
    (
        "nops.xml",
        program(
            "allreduce", ["-1 -1 0: cpy i0 s0 1", "-1 -1 0: " + "nop - - 1 0/0;" * 19_999 + "nop"]
        ),
        [0, 1, 2],
    ),
    ("awaited.xml", copied_and_awaited(30_000, 38_000), [0, 1, 2]),
    ("steps.xml", copied_and_awaited(30_000, 38_000, 1), 2, "at most 32768 are run"),
    ("left.xml", program("allreduce", ["1 -1 0: s i0"], ["-1 -1 0: nop"]), 2, "sends 1 messages"),
    ("counts.xml", program("allreduce", ["1 -1 0: s i0 - 2"], ["-1 0 0: r - i0 1"]), 2, "cnt=2"),
    (
        "connection.xml",
        program("allreduce", ["1 -1 0: s i0", "1 -1 0: s i1"], ["-1 0 0: r - i0; r - i1"]),
        2,
        "another chan",
    ),
    (
        "blocks.xml",
        but("</tb>", '</tb><tb id="0" send="-1" recv="-1" chan="0"/>'),
        2,
        "occurs twice",
    ),
    ("unwritten.xml", program("allreduce", ["1 -1 0: s s0"], ["-1 0 0: r - i0"]), 1, "s[0]"),
    (
        "moved.xml",
        one(";".join(["cpy s0 i0 60000"] * 40), sizes={"i": 60000, "s": 60000}, chunks=60000),
        2,
        "move more than",
    ),
    (
        "race.xml",
        program("allreduce", ["-1 -1 0: cpy i0 s0"] * 2),
        1,
        "neither waits for the other",
    ),
    ("wrong.xml", but("rrs", "rcs"), 1, "rank"),
]
