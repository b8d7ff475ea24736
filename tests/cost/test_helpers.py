"""What the nodes beside the ranks are, switches or servers, is declared and never guessed."""

import json

import pytest

from collectives import ROWS, BadInput, load, lockstep, record, reduce, save, send
from collectives.__main__ import main
from collectives.catalog.row import HELPERS
from collectives.cost.machines import topology_for
from collectives.recording.saved import from_json, to_json

GB = 1_000_000_000
NAMES = ("observer_all_reduce", "nvswitch_all_reduce", "server_all_reduce", "mine")


def through_a_node(n):
    """All ranks send to one more node, which adds and sends the sum back."""
    yield reduce(range(n), n)
    yield send(n, range(n))


def recorded(name, **helpers):
    schedule = through_a_node(8)
    given = {"ranks": 8, "slots": 1, "nodes": 9, "count": GB, "dtype": "uint8"}
    return record(schedule, name, collective="all_reduce", **given, **helpers)


def seconds(recording):
    machine = topology_for(recording, "crossbar", latency=0, bandwidth=50 * GB)
    return lockstep(recording, machine).total


@pytest.mark.parametrize("name", NAMES)
def test_the_name_of_a_function_does_not_change_its_time(name):
    assert seconds(recorded(name)) == pytest.approx(0.04)
    assert seconds(recorded(name, helpers="switch")) == pytest.approx(0.04)
    assert seconds(recorded(name, helpers="server")) == pytest.approx(0.32)


@pytest.mark.parametrize("name", ["hgx-h100", "nvl72", "switch-tree"])
def test_a_switch_with_a_port_for_every_rank_is_no_server(name):
    server = record("all_reduce", "parameter-server", ranks=4)
    with pytest.raises(BadInput, match=f"needs 1 server, {name} has none; try: crossbar"):
        topology_for(server, name)
    assert topology_for(server, "crossbar").placement(4, 5, server.title)[-1] >= 4


def test_the_rows_of_servers_say_so():
    servers = {row.algorithm for row in ROWS if row.helpers == "server"}
    assert servers == {"parameter-server", "sharded-parameter-server"}
    assert record("all_reduce", "parameter-server", ranks=4).helpers == "server"
    assert record("all_reduce", "nvls", ranks=4).helpers == "switch"
    assert {row.helpers for row in ROWS} == set(HELPERS)


def test_a_kind_that_is_not_known_is_refused():
    with pytest.raises(BadInput, match=r"^helpers 'servers': .*; did you mean server\?$"):
        recorded("mine", helpers="servers")
    with pytest.raises(BadInput, match=r"^helpers 3: .*; choose from switch, server$"):
        recorded("mine", helpers=3)
    with pytest.raises(
        BadInput, match="helpers 'server': nvls all-reduce has its own; leave it out"
    ):
        record("all_reduce", "nvls", ranks=4, helpers="server")


def test_a_saved_recording_keeps_the_kind(tmp_path):
    path = tmp_path / "recording.json"
    for kind in ("switch", "server"):
        save(recorded("mine", helpers=kind), path)
        assert load(path).helpers == kind
    content = to_json(recorded("mine", helpers="server"))
    del content["helpers"]  # as files were before it was declared
    assert from_json(json.loads(json.dumps(content))).helpers == "switch"
    with pytest.raises(BadInput, match="helpers 'hub'"):
        from_json(content | {"helpers": "hub"})
    with pytest.raises(BadInput, match='"helpers"'):
        from_json(content | {"helpers": 1})


OWN = """from collectives import reduce, send


def hub_all_reduce(n):
    yield reduce(range(n), n)
    yield send(n, range(n))
"""


def test_the_command_line_takes_it_for_own_functions(tmp_path, capsys):
    (tmp_path / "mine.py").write_text(OWN)
    words = ["time", f"{tmp_path}/mine.py:hub_all_reduce", "-n", "8", "--slots", "1", "--nodes"]
    words += ["9", "--size", "1GB", "--latency", "0us", "--bandwidth", "50GB/s", "--json"]

    def ended(*more):
        with pytest.raises(SystemExit) as status:
            main([*words, *more])
        return status.value.code or 0, capsys.readouterr()

    for more, wanted in ((), 0.04), (("--helpers", "server"), 0.32):
        status, told = ended(*more)
        assert (status, json.loads(told.out)["seconds"]) == (0, pytest.approx(wanted))
    status, told = ended("--helpers", "hub")
    assert status == 2
    assert told.err.startswith("collectives: helpers 'hub': nodes beside the ranks are")
    words = ["time", "all-reduce", "nvls", "--size", "1GB"]
    status, told = ended("--helpers", "server")
    assert (status, told.out) == (2, "")
    assert "--helpers server: only your own schedules take it" in told.err
