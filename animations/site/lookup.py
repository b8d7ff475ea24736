"""What one looks up: pages of collectives, players of algorithms, maps of machines."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from itertools import groupby
from pathlib import Path

from animations.player.catalog import write_catalog
from animations.site.algorithms import algorithm_file, write_algorithms
from animations.site.collective_pages import write_collective
from animations.site.layout import link, listed_links, table, write_sheet
from animations.site.played import Played
from animations.site.report_markup import plain_markup
from animations.site.site_machines import write_machine
from collectives.collective import COLLECTIVES
from collectives.cost.machines.named import list_machines


def write_lookup(folder: Path, written: Sequence[Played], machines: Sequence[str]) -> None:
    """Write the pages of collectives and machines, the gallery and the page that leads to them."""
    write_catalog(
        [(each.recording, each.alike) for each in written], folder / "gallery.html", mapped=True
    )
    write_algorithms(folder, written)
    names = []
    for name, group in groupby(written, lambda each: each.row.collective):
        write_collective(folder, name, list(group))
        names.append((f"{COLLECTIVES[name].title}.html", COLLECTIVES[name].title))
    for machine in machines:
        write_machine(folder, machine)
    body = "<h1>Look up</h1><h2>Collectives</h2>" + listed_links(names)
    body += "<h2>All algorithms on a map</h2><p>"
    body += link("../gallery.html", f"{len(written)} algorithms, to choose and play") + "</p>"
    body += "<h2>Algorithms</h2>" + table(
        ("algorithm", "what it does"),
        [
            (
                link(f"../{algorithm_file(played.row)}", played.row.heading),
                plain_markup(played.row.idea),
            )
            for played in written
        ],
    )
    about = {entry["name"]: entry["about"] for entry in list_machines()}
    body += "<h2>Machines</h2>" + table(
        ("machine", "what it is"),
        [(link(f"machine-{name}.html", name), escape(about[name])) for name in machines],
    )
    write_sheet(folder, "lookup/index.html", "Look up", body)
