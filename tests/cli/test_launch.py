"""`launch`: what it reports, draws and saves; the processes are threads here."""

import re
import signal

import numpy as np
import pytest
from played import launched

from collectives.cli import launch as verb

RING = ("launch", "all-reduce", "ring", "-n", "4", "--backend", "mpi")


@pytest.fixture
def threads(monkeypatch):
    """Launches by threads; what `launch` was called with is kept."""
    asked = {}

    def make(recording, backend, **options):
        asked.update(options, backend=backend)
        own = [part.copy() for part in recording.result()]
        for part in own[: asked.get("other")]:
            part[-1] += 1
        found = launched(recording, asked.get("cores", 64), own)
        found.results[0][0] += asked.get("wrong", 0)
        found.infos[1]["interfaces"] = asked.get("interfaces", ["lo"])
        return found

    monkeypatch.setattr(verb, "launch", make)
    return asked


def test_the_report_compares_and_times_every_step(right, threads):
    threads["other"] = 0
    said = right(*RING, "--timeout", "3s").out
    assert "every rank ends with the recording's bits" in said
    assert "its own all-reduce gives the same bits" in said
    assert "the median of 20 runs" in said and "by ping-pong" in said
    assert "oversubscribed" not in said
    assert len(re.findall(r"(?m)^ +\d +[\d.]+ [µm]?s +[\d.]+ [µm]?s$", said)) == 6
    assert (threads["backend"], threads["timeout"]) == ("mpi", 3.0)
    found = right(*RING, "--json").json
    assert found["equals_recording"] and found["equals_library"] and found["runs"] == 20
    assert len(found["seconds_of_steps"]) == len(found["model"]["seconds_of_steps"]) == 6
    assert np.isclose(found["latency"], 2e-6, rtol=1e-2)
    modeled = right(*RING, "--json", "--topology", "hgx-h100", "--clock", "lockstep").json["model"]
    assert (modeled["topology"], modeled["clock"]) == ("hgx-h100", "lockstep")


def test_the_report_says_which_network_the_processes_saw(right, threads):
    assert "network    the loopback only: no other machine" in right(*RING).out
    assert right(*RING, "--json").json["loopback_only"] is True
    threads["interfaces"] = ["lo", "eth0"]
    said = " ".join(right(*RING).out.split())
    assert "network not the loopback only: the launch may have listened on every interface" in said
    assert right(*RING, "--json").json["loopback_only"] is False


def test_another_order_of_additions_is_no_failure(right, threads):
    said = right(*RING, "--dtype", "float32", "--op", "max").out
    assert "of 64 elements differ" in said and "as it adds in another order" in said
    threads["other"] = 1
    found = right(*RING, "--json").json
    assert (found["equals_library"], found["differing_elements"]) == (False, 1)


def test_both_orders_of_additions_are_said(right, threads):
    threads["other"] = 0
    said = " ".join(right(*RING, "--dtype", "float32").out.split())
    assert "orders here ((x1 + x2) + x3) + x0 and 3 more; the library has the bits of " in said
    found = right(*RING, "--dtype", "float32", "--json").json["library_adds_like"]
    assert "ring" in found and "tree" not in found
    assert right(*RING, "--json").json["library_adds_like"] is None
    threads["other"] = None
    assert "the bits of no algorithm" in right(*RING, "--dtype", "float32").out


def test_other_bits_than_the_recording_are_one(collectives, threads):
    threads["wrong"] = 1
    ended = collectives(*RING)
    assert ended.status == 1
    assert "the ranks end with other bits: 1 of 64 elements differ" in ended.err


def test_a_figure_and_a_machine_are_written(right, collectives, threads, folder):
    said = right(*RING, "-o", "ring.svg", "--save-machine", "mine.toml").out
    assert "written: ring.svg" in said and "written: mine.toml" in said
    assert (folder / "ring.svg").read_text().startswith("<?xml")
    assert (
        "measured: threads"
        in right("time", "all-reduce", "ring", "--size", "1MiB", "--topology", "mine.toml").out
    )
    threads["cores"] = 2
    assert "oversubscribed: 4 processes on 2 cores" in right(*RING).out
    ended = collectives(*RING, "--save-machine", "other.toml")
    assert ended.status == 2
    assert "oversubscribed, which measures no machine; try: -n 2" in ended.err
    assert not (folder / "other.toml").exists()


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ("--backend mp", "--backend mp: unknown; did you mean mpi?"),
        ("--backend mpi --timeout 0.5", "--timeout 0.5: must be at least 1 s"),
        ("--backend mpi --timeout soon", "must be a number of seconds"),
        ("--backend mpi -o ring.mp4", "a figure is written as .svg or .png or .pdf"),
        ("--backend mpi --save-machine m.json", "a machine is written as .toml"),
        ("--backend mpi -n 21 -o ring.svg", "a space-time diagram has at most 20 lines"),
        ("--backend mpi -n 1 -o ring.svg", "on 1 rank sends no message"),
        ("--backend mpi --dtype complex64", "cannot be reduced"),
        ("--backend mpi --topology hgx-h100 -n 16", "try"),
    ],
)
def test_bad_input_is_one_line_before_anything_starts(collectives, monkeypatch, more, message):
    monkeypatch.setattr(verb, "launch", lambda *_, **__: pytest.fail("it has started"))
    ended = collectives(f"launch all-reduce ring {more}")
    assert ended.status == 2 and ended.err.count("\n") == 1
    assert message in ended.err


def test_a_backend_is_needed(collectives):
    ended = collectives("launch all-reduce ring")
    assert ended.status == 2 and "--backend" in ended.err


def test_further_signals_do_not_disturb_what_ends_a_launch():
    """The processes and files of a launch take a second to go."""
    numbers, ended = (signal.SIGTERM, signal.SIGHUP, signal.SIGINT), []

    def launch():
        with verb.ended_by_signal():
            try:
                signal.raise_signal(numbers[0])
            finally:
                ended.extend(number for number in numbers if signal.raise_signal(number) is None)

    with pytest.raises(SystemExit):
        launch()
    assert ended == list(numbers)
    with pytest.raises(KeyboardInterrupt), verb.ended_by_signal():
        signal.raise_signal(signal.SIGINT)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_ends_a_launch_unless_it_is_ignored(number):
    known, heard = signal.getsignal(number), []
    try:
        signal.signal(number, lambda *given: heard.append(given))
        handler = signal.getsignal(number)
        with pytest.raises(SystemExit) as ended, verb.ended_by_signal():
            signal.raise_signal(number)
        assert ended.value.code == 128 + number
        assert signal.getsignal(number) is handler and not heard
        signal.signal(number, signal.SIG_IGN)
        with verb.ended_by_signal():
            signal.raise_signal(number)
    finally:
        signal.signal(number, known)
