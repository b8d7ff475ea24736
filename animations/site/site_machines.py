"""A page for each machine: its map, its drawing, its figures, what limits it, its file."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from math import isclose
from pathlib import Path

from animations.drawing.theme import LIGHT
from animations.figures.machine import draw
from animations.figures.slide import save as save_figure
from animations.player.page import write_page
from animations.site.layout import frame, link, table, write_sheet
from animations.site.site_times import RANKS
from animations.story.usual import usual_board
from collectives.collective import COLLECTIVES
from collectives.cost.bounds.narrowest import is_limited, narrowest_cut
from collectives.cost.by_name import time
from collectives.cost.choose.explain import bottleneck
from collectives.cost.choose.ranking import time_recording
from collectives.cost.choose.setup import resized
from collectives.cost.machines import MACHINES, topology_for
from collectives.cost.machines.named import list_machines
from collectives.cost.machines.toml_file import parse_topology
from collectives.cost.machines.toml_writer import topology_text
from collectives.cost.machines.topology import Topology
from collectives.cost.where import Where
from collectives.errors import BadInput
from collectives.files import replacing
from collectives.recording.recorder import record
from collectives.recording.recording import Recording
from collectives.recording.saved import save
from collectives.units import size_text, time_text

MOST_RANKS = 16  # of a map in a page
SIZE = 1 << 30
LIMITED = ("broadcast", "all_gather", "all_reduce", "all_to_all")


def write_machine(folder: Path, name: str) -> None:
    """Write the page of a machine, on which a ring all-reduce runs."""
    (folder / "lookup").mkdir(exist_ok=True)
    ranks = min(MACHINES[name].ranks({}) or RANKS, MOST_RANKS)
    recording = record("all_reduce", "ring", ranks=ranks)
    machine, file = topology_for(recording, name), f"machine-{name}.html"
    board = usual_board(recording, machine)
    write_page(board, folder / "players" / file, explored=True, opened=True)
    save(recording, folder / "players" / f"machine-{name}.json")
    entry = next(entry for entry in list_machines() if entry["name"] == name)
    body = f"<h1>{escape(name)}</h1><p>{escape(entry['about'])}</p>"
    body += frame(f"../players/{file}#view=map&embed", f"Map of {name} with a ring all-reduce")
    body += "<h2>What it is made of</h2>" + _drawn(folder, name, machine)
    if entry["parameters"]:
        rows = [
            [f"<code>{taken['name']}={taken['default']}</code>", escape(taken["meaning"])]
            for taken in entry["parameters"]
        ]
        body += "<h2>What can be changed</h2>" + table(("parameter", "meaning"), rows)
    body += f"<h2>What limits it on {ranks} ranks</h2>" + _limits(machine, name, recording)
    body += _file(folder, name, machine, recording)
    body += f"<pre><code>collectives page --topology {name} -n {ranks}\n"
    body += f"collectives figure topology {name} -n {ranks} --cut all-reduce</code></pre>"
    write_sheet(folder, f"lookup/{file}", name, body, wide=True)


def _drawn(folder: Path, name: str, machine: Topology) -> str:
    """The drawing, written as files beside the player, which offers them."""
    figure = draw(machine, LIGHT)
    for kind in ("svg", "png", "pdf"):
        save_figure(figure, folder / "players" / f"machine-{name}.{kind}")
    lines = machine.describe().split("\n")
    alt = escape(f"{lines[0]}, drawn with its links")
    text = escape("\n".join(lines))
    image = f'<img class="drawn" src="../players/machine-{name}.svg" alt="{alt}" width="1280" '
    image += 'height="720" loading="lazy">'
    return f"{image}<pre><code>{text}</code></pre>"


def _limits(machine: Topology, name: str, recording: Recording) -> str:
    """The narrowest cut of collectives, with the least time, and the bottleneck of a ring."""
    rows = list(_cuts(machine))
    head = ("collective", "what must pass", f"least time, {size_text(SIZE)}")
    timed = time_recording(resized(recording, SIZE), Where(name).setup())
    ring = f"A ring all-reduce of {size_text(SIZE)} takes {time_text(timed.seconds)} here. "
    text = f"<p>{escape(ring + bottleneck(timed))}.</p>"
    return (table(head, rows) if rows else "") + text


def _cuts(machine: Topology) -> Iterator[tuple[str, str, str]]:
    """Collectives whose time a cut bounds from below, whatever the algorithm."""
    for promise in (COLLECTIVES[name] for name in LIMITED):
        cut = narrowest_cut(promise.name, machine) if is_limited(promise) else None
        if cut is not None:
            yield promise.title, escape(cut.text()), time_text(cut.seconds(SIZE))


def _file(folder: Path, name: str, machine: Topology, recording: Recording) -> str:
    """The machine as a file, where that has the same times as the machine by its name."""
    try:
        text = topology_text(machine)
    except BadInput:
        return ""
    read, dense = parse_topology(text), record("all_to_all", "flat", ranks=recording.ranks)
    for tried in (recording, dense):  # paths of grids, and rings in channels, are not in a file
        if not isclose(time(tried, machine).total, time(tried, read).total):
            return ""
    with replacing(folder / "lookup" / f"{name}.toml") as file:
        file.write(text.encode())
    saved = link(f"{name}.toml", f"{name}.toml")
    return f"<p>{saved} has it for {machine.ranks} ranks, to be changed as you like.</p>"
