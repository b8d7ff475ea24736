"""Everything that NCCL, RCCL and ncclx have a name for, read from `nccl_*.toml`."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import Any

from collectives.errors import BadInput
from collectives.text_lines import Grid, Heading, Lines, Paragraph
from collectives.values import instance
from collectives.words import brief

VARIABLE = "variable"
DRAWN = ("algorithm", "protocol", "transport", "kernel")
NO_SCHEDULE, NO_PICTURE = "not a schedule", "none"
NOT_MODELED = "none modeled"
LIBRARIES = ("RCCL", "ncclx")  # kinds that are names of libraries
ALL_NAMES = "all names: collectives list nccl"
FROM_NAME = "not in the user guide: this follows from the name and the function that reads it"


@dataclass(frozen=True)
class NcclName:
    """What NCCL calls something, and what that is.

    area: of a variable, what it is about. schedule: rows of the catalog. picture: the figure
    of what is no schedule. path: what no picture shows of where data goes. log: a line that
    shows it; unread: which `collectives log` does not read. force: what must be set. effect: on the
    modeled time, of a variable. from_name: it is not in the user guide.
    """

    kind: str
    name: str
    what: str
    area: str = ""
    also: tuple[str, ...] = ()
    schedule: tuple[str, ...] = ()
    note: str = ""
    picture: str = ""
    path: str = ""
    when: str = ""
    log: str = ""
    unread: bool = False
    force: str = ""
    default: str = ""
    effect: str = ""
    from_name: bool = False
    since: str = ""
    until: str = ""

    @property
    def facts(self) -> dict[str, str]:
        """What is known of it besides what it is, by title."""
        is_variable = self.kind == VARIABLE
        drawn = self.kind in DRAWN
        schedule = ", ".join(self.schedule) + (f" ({self.note})" if self.note else "")
        unread = " (collectives log does not read it)" if self.unread else ""
        titled = {
            "also called": ", ".join(self.also),
            "default": self.default,
            "schedule": schedule or (NO_SCHEDULE if drawn else ""),
            "picture": self.command or (NO_PICTURE if drawn else ""),
            "path": self.path,
            "chosen": self.when,
            "log line": self.log + unread,
            "forced by": self.force,
            "modeled time": self.effect or NOT_MODELED * is_variable,
            "since": self.since,
            "until": f"it is no longer in {self.until}" if self.until else "",
            "source": FROM_NAME * self.from_name,
        }
        return {title: text for title, text in titled.items() if text}

    @property
    def command(self) -> str:
        """What draws it: a figure, or the page of its schedule, first of an all-reduce."""
        rows = sorted(self.schedule, key=lambda row: not row.startswith("all-reduce "))
        drawing = self.picture or (f"page {rows[0]}" if rows else "")
        return f"collectives {drawing}" if drawing else ""

    def as_json(self) -> dict[str, Any]:
        """The fields that say something."""
        return {field.name: value for field in fields(self) if (value := getattr(self, field.name))}


@dataclass(frozen=True)
class NcclNames:
    """Names, each with all that is known of it, or in a line."""

    names: Sequence[NcclName]
    in_full: bool = True

    def lines(self) -> Lines:
        """All of each name; or tables by kind."""
        if self.in_full:
            for name in self.names:
                yield Heading(f"{name.name} ({name.kind})")
                yield Paragraph(name.what)
                for title, text in name.facts.items():
                    yield Paragraph(text, f"  {title}", 16)
            return
        for (kind, area), group in groupby(self.names, lambda name: (name.kind, name.area)):
            yield Heading(f"{kind}: {area}" if area else kind)
            yield Grid([_row(name) for name in group], indent=2)
        yield "collectives list nccl NVLS: all of a name; list nccl transports: names of a kind"

    def as_json(self) -> list[dict[str, Any]]:
        """The same as values."""
        return [name.as_json() for name in self.names]


def _row(name: NcclName) -> tuple[str, ...]:
    return (name.name, name.default, name.what) if name.kind == VARIABLE else (name.name, name.what)


def nccl_names(name: str = "") -> NcclNames:
    """What NCCL, RCCL and ncclx call something; `collectives list nccl` in Python.

    Parameters
    ----------
    name : str
        A name in any spelling, such as "nvls", "P2P/CUMEM" or "NCCL_BUFFSIZE", or a kind of
        names, such as "transports"; by default all names.

    Returns
    -------
    NcclNames
        `names` has all entries of that name; `lines()` is what the command prints.

    Raises
    ------
    BadInput
        For an unknown name, with the nearest.

    Examples
    --------
    >>> print(nccl_names("buffsize").names[0].what)
    bytes of the buffer between two GPUs for Simple, in 8 slots; 4 MiB
    """
    key = _key(instance("name", name, str, "'NVLS'"))
    known, index = _known(), _index()
    of_kind = [name for name in known if key in ("", name.kind.lower(), f"{name.kind}s")]
    if of_kind:
        return NcclNames(of_kind, in_full=False)
    if key not in index:
        from difflib import get_close_matches

        near = {word: text for word, (text, _) in index.items()} | _kinds()
        close = get_close_matches(key, near, n=1)
        hint = f"did you mean {near[close[0]]}?" if close else ALL_NAMES
        raise BadInput(f"NCCL has no name {brief(name)}; {hint}")
    return NcclNames([name for name in known if name in index[key][1]])


def _key(text: str) -> str:
    """A name without its spelling.

    >>> _key("NCCL_P2P_LEVEL"), _key("NVLS-Tree"), _key("nvls_tree")
    ('p2plevel', 'nvlstree', 'nvlstree')
    """
    return re.sub(r"^nccl[\s_-](?=.)|[\s_/-]", "", text.strip().lower())


def _kinds() -> dict[str, str]:
    """What each kind of names is asked for by, by its key."""
    kinds = (name.kind if name.kind in LIBRARIES else f"{name.kind}s" for name in _known())
    return {kind.lower(): kind for kind in kinds}


@cache
def _index() -> dict[str, tuple[str, list[NcclName]]]:
    """What each key is written as, and all entries of that name."""
    index: dict[str, tuple[str, list[NcclName]]] = {}
    for name in _known():
        for word in (name.name, *name.also):
            index.setdefault(_key(word), (word, []))[1].append(name)
    return index


@cache
def _known() -> tuple[NcclName, ...]:
    """All names, in the order of the tables."""
    here = Path(__file__).parent
    known = []
    for kind, names in tomllib.loads((here / "nccl_names.toml").read_text("utf-8")).items():
        known += [_entry(kind, name, fields) for name, fields in names.items()]
    areas = tomllib.loads((here / "nccl_variables.toml").read_text("utf-8"))[f"{VARIABLE}s"]
    for area, names in areas.items():
        known += [_entry(VARIABLE, name, fields | {"area": area}) for name, fields in names.items()]
    return tuple(known)


def _entry(kind: str, name: str, fields: dict[str, Any]) -> NcclName:
    """An entry; raises TypeError for fields that are missing or unknown."""
    lists = {field: tuple(value) for field, value in fields.items() if isinstance(value, list)}
    defaults = {"log": f"{name} set by environment to VALUE"} if kind == VARIABLE else {}
    return NcclName(kind, name, **(defaults | fields | lists))
