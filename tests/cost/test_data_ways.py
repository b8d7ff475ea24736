"""Ways of data take what the machines of the model say, and layouts what messages are timed by."""

import pytest
from each import each

from collectives.cost.data_ways import LAYOUTS, PICTURES, TRANSPORTS, TransportWay, transport
from collectives.cost.machines import topology
from collectives.cost.one_message import DELIVERIES
from collectives.errors import BadInput

BOX = {"generation": 5, "gpus_per_switch": 2}


@each(
    ("name", "way", "machine", "receiver"),
    [
        ("p2p", 0, topology("hgx-h100", 8), 1),
        ("p2p", 1, topology("pcie-box", 4, **BOX), 1),
        ("shm", 1, topology("pcie-box", 4, **BOX), 1),
        ("net", 0, topology("cluster", 16, rails=1), 8),
    ],
)
def test_a_way_takes_what_the_machine_says(name, way, machine, receiver):
    paths, ours = machine.paths([0], [receiver]), transport(name).ways[way]
    assert ours.latency == pytest.approx(paths.total(machine.latency)[0])
    assert ours.bandwidth == paths.minimum(machine.bandwidth)[0]


def test_host_memory_is_as_far_as_a_gpu_at_another_switch():
    machine = topology("pcie-box", 4, **BOX)
    there = machine.paths([0], [2]).total(machine.latency)[0]
    assert transport("shm").ways[0].latency == pytest.approx(there)


def test_what_a_way_saves_is_seen():
    direct, bounce = transport("net").ways
    assert (direct.slots, bounce.slots) == (4, 8)
    assert bounce.latency - direct.latency == pytest.approx(2e-6)
    relayed, across = transport("pxn").ways
    assert relayed.is_modeled and not across.is_modeled
    assert relayed.slots < across.slots


@each("way", [way for one in TRANSPORTS.values() for way in one.ways], lambda way: way.name)
def test_paths_of_a_way_meet_in_one_part(way):
    starts, ends = ({path.split()[at] for path in way.paths} for at in (0, -1))
    assert min(len(starts), len(ends)) == 1
    assert way.seconds(1 << 20) > way.seconds(0) == way.latency > 0


@each("layout", LAYOUTS.values(), lambda layout: layout.delivery)
def test_the_share_of_data_is_that_of_the_timed_message(layout):
    assert 1 / layout.share == DELIVERIES[layout.delivery].sent
    assert layout.flag == 0 or 128 % (layout.data + layout.flag) == 0


def test_what_is_not_drawn_is_refused():
    with pytest.raises(BadInput, match="transport 'pnx': unknown; did you mean pxn"):
        transport("pnx")
    with pytest.raises(BadInput, match="transport 'll': unknown; choose from p2p"):
        transport("ll")  # buffers, no way of data
    with pytest.raises(BadInput, match="size"):
        TransportWay("", ("GPU0 NVSwitch GPU1",), "").seconds(-1)
    assert {"p2p", "shm", "net", "pxn", "nvls", "collnet", "ll"} == set(PICTURES)
