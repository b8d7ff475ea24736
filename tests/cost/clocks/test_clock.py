"""The clocks: equal to closed forms where ports are not shared, to the slow ones everywhere."""

import math
from fractions import Fraction

import numpy as np
import pytest
from cost.clocks import slow
from each import each, row_title
from settings import SOME_ROWS, recorded, settings

from collectives import ROWS, BadInput, record, send
from collectives.cost.clocks.clock import dataflow, lockstep
from collectives.cost.clocks.costs import Costs, LogGP
from collectives.cost.machines import topology, topology_for

ALPHA, BETA, GAMMA = 5e-6, 2e-11, 3e-12
SIZES = (2, 3, 4, 5, 8, 9, 12, 16)


def close(one, other):
    return math.isclose(one, other, rel_tol=1e-12, abs_tol=1e-18)


def crossbar(recording, **more):
    return topology_for(recording, "crossbar", latency=ALPHA, bandwidth=1 / BETA, **more)


def sum_over_steps(recording):
    """alpha + the most bytes through a port x beta, in fractions, of every step with a message."""
    alpha, beta = Fraction(ALPHA), 1 / Fraction(1 / BETA)
    total, alone = Fraction(0), True
    ranks, servers = recording.ranks, recording.helpers == "server"
    for messages, _ in slow.messages_of(recording):
        ports = {}
        for m in messages:
            for port in (("out", m.src, m.dst), ("in", m.dst, m.src)):
                one = port[1] < ranks or servers  # a switch has a port for every other node
                ports.setdefault(port[:2] if one else port, []).append(Fraction(m.size))
        if messages:
            alone = alone and max(map(len, ports.values())) == 1
            total += alpha + max(map(sum, ports.values())) * beta
    return float(total), alone


CASES = [(row, s) for row in SOME_ROWS for s in settings(row, (4, 5), all_roots=False)]


@each("row", [row for row in SOME_ROWS if not row.promise.routed], row_title)
@pytest.mark.parametrize("size", [None, 0, 997])
def test_a_step_takes_alpha_and_its_busiest_port(row, size):
    """Equal messages at a port arrive together, when the port is done with all of them."""
    for setting in settings(row, SIZES if size is None else (2, 3, 5, 8), all_roots=False):
        recording = recorded(row, setting, count=size, dtype="uint8")
        total, alone = sum_over_steps(recording)
        equal = setting.channels == 1 and recording.size.min() == recording.size.max()
        if alone or equal:
            assert close(lockstep(recording, crossbar(recording)).total, total), setting


# sends are not in order; folded ranks are served meanwhile; few are busy in first and last steps
OVERLAP = {"flat", "butterfly", "short-rank", "multicast"}


@each("row", SOME_ROWS, row_title)
def test_both_clocks_agree_where_ports_and_steps_are_apart(row):
    for setting in settings(row, SIZES, all_roots=False):
        recording = recorded(row, setting, dtype="uint8")
        if recording.counters.ports == 1 and row.algorithm not in OVERLAP:
            machine = crossbar(recording)
            one, other = lockstep(recording, machine).total, dataflow(recording, machine).total
            assert close(one, other), setting


def clocks(recording, gamma=GAMMA, **more):
    machine, costs = crossbar(recording, **more), Costs(gamma=gamma)
    return lockstep(recording, machine, costs).total, dataflow(recording, machine, costs).total


def ring_time(n, size):
    return 2 * (n - 1) * ALPHA + 2 * (n - 1) / n * size * BETA + (n - 1) / n * size * GAMMA


def scatter_like(n, size):
    return (n - 1) * ALPHA + (n - 1) / n * size * BETA


def log2(n):
    return n.bit_length() - 1


def below(n):
    """Depth of a tree that doubles."""
    return (n - 1).bit_length()


TIMES = {  # of facts known beside the schedules: ranks, bytes -> seconds
    ("all_reduce", "ring"): ring_time,
    ("all_reduce", "textbook-ring"): ring_time,
    ("all_gather", "ring"): scatter_like,
    ("all_gather", "neighbor-exchange"): lambda n, s: (
        n / 2 * ALPHA + (n - 1) / n * s * BETA if n % 2 == 0 else None
    ),
    ("all_gather", "bruck"): lambda n, s: below(n) * ALPHA + (n - 1) / n * s * BETA,
    ("all_gather", "circulant"): lambda n, s: below(n) * ALPHA + (n - 1) / n * s * BETA,
    ("all_gather", "recursive-doubling"): lambda n, s: log2(n) * ALPHA + (n - 1) / n * s * BETA,
    ("reduce_scatter", "ring"): lambda n, s: scatter_like(n, s) + (n - 1) / n * s * GAMMA,
    ("reduce_scatter", "pairwise"): lambda n, s: scatter_like(n, s) + (n - 1) / n * s * GAMMA,
    ("reduce_scatter", "recursive-halving"): lambda n, s: (
        log2(n) * ALPHA + (n - 1) / n * s * (BETA + GAMMA) if n == 1 << log2(n) else None
    ),
    ("reduce_scatter", "bruck"): lambda n, s: below(n) * ALPHA + (n - 1) / n * s * (BETA + GAMMA),
    ("all_reduce", "recursive-doubling"): lambda n, s: (
        log2(n) * (ALPHA + s * BETA + s * GAMMA)
        if n == 1 << log2(n)
        else (log2(n) + 2) * (ALPHA + s * BETA) + (log2(n) + 1) * s * GAMMA
    ),
    ("all_reduce", "rabenseifner"): lambda n, s: (
        2 * log2(n) * ALPHA + (n - 1) / n * s * (2 * BETA + GAMMA)
        if n == 1 << log2(n)
        else (2 * log2(n) + 2) * ALPHA
        + (4 - 2 / (1 << log2(n))) * s * BETA
        + (2 - 1 / (1 << log2(n))) * s * GAMMA
    ),
    ("all_reduce", "bruck"): lambda n, s: (
        2 * below(n) * ALPHA + (n - 1) / n * s * (2 * BETA + GAMMA)
    ),
    ("all_reduce", "circulant"): lambda n, s: (
        2 * below(n) * ALPHA + (n - 1) / n * s * (2 * BETA + GAMMA)
    ),
    (
        "all_reduce",
        "bar-noy",
    ): lambda n, s: (  # every message is added to two sums, one empty at first
        below(n) * (ALPHA + s * BETA) + (2 * below(n) - 1) * s * GAMMA
    ),
    ("all_reduce", "tree"): lambda n, s: 2 * below(n) * (ALPHA + s * BETA) + below(n) * s * GAMMA,
    ("broadcast", "tree"): lambda n, s: below(n) * (ALPHA + s * BETA),
    ("reduce", "tree"): lambda n, s: below(n) * (ALPHA + s * BETA + s * GAMMA),
    ("scatter", "tree"): lambda n, s: below(n) * ALPHA + (n - 1) / n * s * BETA,
    ("gather", "tree"): lambda n, s: below(n) * ALPHA + (n - 1) / n * s * BETA,
    ("all_to_all", "pairwise"): scatter_like,
    ("scan", "chain"): lambda n, s: (n - 1) * (ALPHA + s * BETA + s * GAMMA),
    ("scan", "doubling"): lambda n, s: below(n) * (ALPHA + s * BETA + s * GAMMA),
    ("scan", "recursive-doubling"): lambda n, s: below(n) * (ALPHA + s * BETA + 2 * s * GAMMA),
    ("exscan", "chain"): lambda n, s: (n - 1) * (ALPHA + s * BETA) + (n - 2) * s * GAMMA,
    (
        "exscan",
        "recursive-doubling",
    ): lambda n, s: (  # what a rank receives first from below is added to one sum, not to two
        below(n) * (ALPHA + s * BETA) + (2 * below(n) - 1 - (n - 1 in (2, 4, 8, 16))) * s * GAMMA
    ),
}


UNEVEN = (("scan", "recursive-doubling"), ("exscan", "recursive-doubling"))


@pytest.mark.parametrize("names", TIMES, ids="-".join)
def test_known_times(names):
    row = next(row for row in ROWS if (row.collective, row.algorithm) == names)
    for n in filter(row.accepts, SIZES):
        size = 5040 * 16
        recording = record(*names, ranks=n, count=size, dtype="uint8")
        wanted = TIMES[names](n, size)
        if wanted is not None and recording.size.min() == recording.size.max():
            one, other = clocks(recording)
            assert close(one, wanted), n
            # the highest rank adds to one sum what the others add to two
            assert close(other, wanted) or (names in UNEVEN and other < wanted), n


def each_chunk_alone(n, chunks):
    """A chain through which one chunk is sent after another, each to the end."""
    for chunk in range(chunks):
        for rank in range(n - 1):
            yield send(rank, rank + 1, chunk)


@pytest.mark.parametrize("n", [2, 3, 7])
@pytest.mark.parametrize("q", [1, 2, 5, 64])
def test_pipelining_emerges(n, q):
    size = 64 * 5 * q
    slices = record(
        each_chunk_alone(n, q), collective="broadcast", ranks=n, slots=q, count=size, dtype="uint8"
    )
    wanted = (n - 2 + q) * (ALPHA + size / q * BETA)
    assert close(dataflow(slices, crossbar(slices)).total, wanted)
    assert close(lockstep(slices, crossbar(slices)).total, (n - 1) * q * wanted / (n - 2 + q))
    known = record("broadcast", "ring", ranks=n, chunks=q, count=size, dtype="uint8")
    assert close(dataflow(known, crossbar(known)).total, wanted)
    assert close(lockstep(known, crossbar(known)).total, wanted)
    reduced = record("reduce", "ring", ranks=n, chunks=q, count=size, dtype="uint8")
    wanted += (n - 2 + q) * size / q * GAMMA
    assert [close(t, wanted) for t in clocks(reduced)] == [True, True]


@pytest.mark.parametrize("n", [2, 5])
def test_the_pong_waits_for_the_ping(n):
    recording = record("send_recv", "ping-pong", ranks=n, count=1000, dtype="uint8")
    once, every = ALPHA + 1000 * BETA, dataflow(recording, crossbar(recording))
    assert close(every.total, 2 * once)
    assert np.allclose(every.messages.start, [0.0] * (n // 2) + [once] * (n // 2), rtol=1e-12)


@pytest.mark.parametrize("n", [2, 4, 7])
@pytest.mark.parametrize("q", [1, 3, 8])
def test_stages_of_a_pipeline_idle_at_both_ends(n, q):
    """The bubble: stage s waits for s - 1 messages, and has n - 1 - s of them after its last."""
    recording = record(
        "send_recv", "pipeline-activations", ranks=n, chunks=q, count=100 * q, dtype="uint8"
    )
    once, every = ALPHA + 100 * BETA, dataflow(recording, crossbar(recording))
    assert close(every.total, (n - 2 + q) * once)
    messages = every.messages
    for stage in range(n):
        mine = (messages.src == stage) | (messages.dst == stage)
        assert close(messages.start[mine].min(), max(0, stage - 1) * once)
        assert close(messages.end[mine].max(), (min(stage + 1, n - 1) + q - 1) * once)
    inner = [q + 1] * (n - 2)  # messages in which a stage receives, sends, or both
    busy = [q, *inner, q]
    assert np.allclose(every.idle[:n], [(n - 2 + q - k) * once for k in busy], rtol=1e-9)


@pytest.mark.parametrize("n", [2, 5, 8])
def test_one_port_takes_messages_in_turn_and_many_at_once(n):
    flat = record("broadcast", "flat", ranks=n, count=1000, dtype="uint8")
    one, all_ports = crossbar(flat), crossbar(flat, ports=n - 1)
    assert close(dataflow(flat, one).total, (n - 1) * (ALPHA + 1000 * BETA))
    assert close(lockstep(flat, one).total, ALPHA + (n - 1) * 1000 * BETA)
    assert close(dataflow(flat, all_ports).total, ALPHA + 1000 * BETA)
    assert close(lockstep(flat, all_ports).total, ALPHA + 1000 * BETA)
    direct = record("all_to_all", "flat", ranks=n, count=n * 60, dtype="uint8")
    assert close(dataflow(direct, crossbar(direct)).total, (n - 1) * (ALPHA + 60 * BETA))
    shared = record("all_reduce", "two-shot", ranks=n, count=n * 60, dtype="uint8")
    wanted = 2 * ALPHA + (n - 1) * 60 * (2 * BETA + GAMMA)
    assert close(clocks(shared)[0], wanted)


def test_half_duplex_ports_send_or_receive():
    ring = record("all_reduce", "ring", ranks=4, count=4000, dtype="uint8")
    both = crossbar(ring, half_duplex=True)
    assert close(lockstep(ring, both).total, 6 * (ALPHA + 2 * 1000 * BETA))
    assert close(dataflow(ring, both).total, 6 * (ALPHA + 2 * 1000 * BETA))


def test_loggp_is_alpha_beta_where_ports_take_one_message():
    model = LogGP(L=3e-6, o=1e-6, g=2e-6, G=BETA)
    alpha = model.L + 2 * model.o - BETA
    for row, setting in CASES:
        recording = recorded(row, setting, dtype="uint8")
        if recording.counters.ports > 1 or not recording.counters.bytes_by_link.all():
            continue
        bare = topology_for(recording, "crossbar", latency=0.0, bandwidth=1 / BETA)
        whole = topology_for(recording, "crossbar", latency=alpha, bandwidth=1 / BETA)
        one = lockstep(recording, bare, Costs(loggp=model)).total
        assert math.isclose(one, lockstep(recording, whole).total, rel_tol=1e-9), (row, setting)


@pytest.mark.parametrize("size", [1, 1000, 10**6])
def test_loggp_lets_a_sender_go_on_before_its_message_is_there(size):
    n, model = 6, LogGP(L=3e-6, o=1e-6, g=2e-6, G=BETA)
    flat = record("broadcast", "flat", ranks=n, count=size, dtype="uint8")
    bare = topology("crossbar", n, latency=0.0, bandwidth=1 / BETA)
    body = model.o + (size - 1) * model.G
    wanted = (n - 2) * max(model.g, body) + body + model.L + model.o
    for clock in (lockstep, dataflow):
        assert math.isclose(clock(flat, bare, Costs(loggp=model)).total, wanted, rel_tol=1e-12)


def test_rendezvous_waits_for_the_receiver_and_asks_first():
    pair = record("broadcast", "tree", ranks=2, count=1000, dtype="uint8")
    machine, once = crossbar(pair), ALPHA + 1000 * BETA
    late = {1: 1e-3}
    for clock in (lockstep, dataflow):
        assert close(clock(pair, machine, Costs(eager=1000)).total, once)
        assert close(clock(pair, machine, Costs(eager=999)).total, 2 * ALPHA + once)
    assert close(dataflow(pair, machine, Costs(eager=1000, arrivals=late)).total, 1e-3)
    asked = dataflow(pair, machine, Costs(eager=999, arrivals=late)).total
    assert close(asked, 1e-3 + 2 * ALPHA + once)


def test_a_late_rank_holds_up_those_who_wait_for_it_only():
    chain = record("broadcast", "ring", ranks=4, chunks=1, count=1000, dtype="uint8")
    once, machine = ALPHA + 1000 * BETA, crossbar(chain)
    ends = dataflow(chain, machine, Costs(arrivals={2: 1e-3})).messages.end
    assert np.allclose(ends, [once, 1e-3, 1e-3 + once], rtol=1e-12)
    assert close(lockstep(chain, machine, Costs(arrivals={2: 1e-3})).total, 1e-3 + 3 * once)


def test_additions_are_counted_once_and_copies_into_empty_slots_never():
    """The root of a linear reduce adds n - 1 times; a switch adds as fast as bytes come."""
    for n in (2, 3, 6):
        linear = record("reduce", "linear", ranks=n, count=60, dtype="uint8")
        one, _ = clocks(linear)
        assert close(one, ALPHA + (n - 1) * 60 * (BETA + GAMMA))
        sharp = record("all_reduce", "sharp", ranks=n, chunks=1, count=60, dtype="uint8")
        made = topology_for(sharp, "switch-tree")
        for clock in (lockstep, dataflow):
            assert clock(sharp, made, Costs(gamma=1.0)).total == clock(sharp, made).total


def test_what_does_not_fit_is_said_in_one_line():
    sharp = record("all_reduce", "sharp", ranks=4)
    with pytest.raises(BadInput, match=r"sharp all-reduce needs 3 switches .* ring has none"):
        dataflow(sharp, topology("ring", 4))
    ring = record("all_reduce", "ring", ranks=4)
    with pytest.raises(BadInput, match="4 ranks: crossbar has 5; try: 5"):
        lockstep(ring, topology("crossbar", 5))
    with pytest.raises(BadInput, match="rank 7 of 4; try: 3"):
        lockstep(ring, topology("crossbar", 4), Costs(arrivals={7: 1.0}))


def test_one_rank_takes_no_time():
    for row in ROWS:
        if row.accepts(1):
            alone = record(row.collective, row.algorithm, ranks=1)
            for clock in (lockstep, dataflow):
                timing = clock(alone, crossbar(alone))
                assert timing.total == 0 and len(timing.messages) == 0
