"""What else can be chosen, as `collectives list` prints it: machines, links and libraries."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from collectives.cost.libraries.default_algorithm import LIBRARIES
from collectives.cost.machines import list_machines
from collectives.cost.machines.links import LINKS, list_links
from collectives.text_lines import Grid, Lines, Paragraph, Reporting
from collectives.units import rate_text, time_text


@dataclass(frozen=True)
class MachineList:
    """The machines, and the parameters of each with its default and meaning."""

    def lines(self) -> Lines:
        """Each machine, then how they are typed."""
        for machine in self.as_json():
            yield Paragraph(machine["about"], machine["name"], 17)
            for parameter in machine["parameters"]:
                text = f"{parameter['name']}={parameter['default']}"
                yield Paragraph(parameter["meaning"], f"{'':<17}{text:<22} ", 40)
            if not machine["parameters"]:
                yield Paragraph("takes no parameters", " ", 17)
        yield ""
        yield Paragraph("typed as in --topology cluster:gpus=4,nics=1; names of links: list links")
        own = "your own: --topology FILE.toml"
        yield Paragraph(f"drawn by collectives figure topology hgx-h100; {own}")

    def as_json(self) -> list[dict[str, Any]]:
        """The same as values."""
        return list_machines()


@dataclass(frozen=True)
class LinkList:
    """The kinds of links that machines are made of."""

    def lines(self) -> Lines:
        """A table of them."""
        rows = []
        for link in LINKS.values():
            each_way, also = rate_text(link.bandwidth), ", ".join(link.other_names)
            rows.append((link.name, each_way, time_text(link.latency), also, link.source))
        yield Grid(rows, ("link", "each way", "latency", "also called", "source"), (1, 2))
        yield ""
        yield Paragraph("each way: the line rate of one direction; latencies are typical values")
        yield Paragraph("also called: blank where there is no other name")

    def as_json(self) -> list[dict[str, Any]]:
        """The same as values."""
        return list_links()


@dataclass(frozen=True)
class LibraryList:
    """The libraries whose choice is known, and what each decides by."""

    def lines(self) -> Lines:
        """Each library, then how it is asked."""
        for name, library in LIBRARIES.items():
            yield Paragraph(f"{library.title} decides by {library.decides_by}", name, 14)
            known = ", ".join(collective.replace("_", "-") for collective in library.collectives)
            yield Paragraph(known, "  ", 14)
            yield Paragraph(f"source: {library.source}", "  ", 14)
        yield ""
        yield "as in: collectives time all-reduce --like nccl --size 1MiB --topology hgx-h100"

    def as_json(self) -> list[dict[str, Any]]:
        """The same as values."""
        return [{"name": name, **vars(library)} for name, library in LIBRARIES.items()]


LISTS: dict[str, type[Reporting]]
LISTS = {"machines": MachineList, "links": LinkList, "libraries": LibraryList}
