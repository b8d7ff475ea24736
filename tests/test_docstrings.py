"""Public names have numpydoc sections: Parameters, Returns and Raises as their signatures say."""

import dataclasses
import inspect
import re

import pytest

import animations
import collectives
from collectives import testing

HEAD = re.compile(r"^(\w[\w ]*)\n(-+)$", re.MULTILINE)
ENTRY = re.compile(r"^(\*{0,2}\w+(?:, \*{0,2}\w+)*)(?: : .+)?$", re.MULTILINE)
KNOWN = {
    "Parameters",
    "Attributes",
    "Returns",
    "Yields",
    "Raises",
    "Warns",
    "See Also",
    "Notes",
} | {
    "References",
    "Examples",
}
NEVER_REFUSES = {
    "every_size",
    "outputs",
    "levels",
    "levels_of",
    "sizes",
    "table",
    "together",
    "closed_form",
}
REFUSALS = {"BadInput", "WrongSchedule"}
PUBLIC = {
    **{name: getattr(collectives, name) for name in collectives.__all__},
    **{name: getattr(animations, name) for name in animations.__all__},
    **{f"testing.{name}": getattr(testing, name) for name in ("assert_proved", "every_size")},
}
OURS = {name: value for name, value in PUBLIC.items() if callable(value)}
METHODS = {
    f"Recording.{name}": value
    for name, value in inspect.getmembers(collectives.Recording, inspect.isfunction)
    if not name.startswith("_")
}


def sections(value):
    """The sections of a docstring: their names, each with its text."""
    text = inspect.getdoc(value) or ""
    heads = list(HEAD.finditer(text))
    ends = [head.start() for head in (*heads[1:], None) if head] + [len(text)] * bool(heads)
    for head in heads:
        assert head[1] in KNOWN and len(head[2]) == len(head[1]), head[0]
    found = {head[1]: text[head.end() : end].strip() for head, end in zip(heads, ends, strict=True)}
    order = [name for name in ("Parameters", "Returns", "Raises", "Examples") if name in found]
    assert [name for name in found if name in order] == order
    return found


def entries(text):
    """What a section names, without stars."""
    return [name.lstrip("*") for entry in ENTRY.findall(text) for name in entry.split(", ")]


def unlisted(name, value, found):
    """The parameters that a docstring leaves out, adds or has in another order."""
    taken = [parameter for parameter in inspect.signature(value).parameters if parameter != "self"]
    if taken and entries(found.get("Parameters", "")) != taken:
        yield f"{name}: parameters {entries(found.get('Parameters', ''))} are not {taken}"


def problems(name, value):
    """What the docstring of a public function or class lacks."""
    found = sections(value)
    if inspect.isclass(value):
        if issubclass(value, Exception):
            return
        if not dataclasses.is_dataclass(value):
            yield from unlisted(name, value, found)
            return
        public = [f.name for f in dataclasses.fields(value) if not f.name.startswith("_")]
        listed = entries(found.get("Attributes", found.get("Parameters", "")))
        if listed != public:
            yield f"{name}: attributes {listed} are not {public}"
        return
    signature = inspect.signature(value)
    taken = [parameter for parameter in signature.parameters if parameter != "self"]
    yield from unlisted(name, value, found)
    gives = found.get("Returns") or found.get("Yields")
    if signature.return_annotation not in (None, "None") and not gives:
        yield f"{name}: has no Returns"
    refuses = taken and name.rpartition(".")[2] not in NEVER_REFUSES
    if refuses and not REFUSALS & set(entries(found.get("Raises", ""))):
        yield f"{name}: no refusal in Raises"


@pytest.mark.parametrize("name", [*OURS, *METHODS])
def test_public_names_have_the_sections_their_signatures_call_for(name):
    assert not list(problems(name, (OURS | METHODS)[name]))


def test_the_public_names_are_found():
    assert {"Stepper", "record", "Recording", "testing.every_size"} <= set(OURS)
    assert len(METHODS) >= 15


def test_what_is_missing_is_found():
    def halved(size: int, *, of: str = "") -> int:
        """Half of a size.

        Parameters
        ----------
        size : int
            Bytes.
        """

    assert list(problems("halved", halved)) == [
        "halved: parameters ['size'] are not ['size', 'of']",
        "halved: has no Returns",
        "halved: no refusal in Raises",
    ]
