"""Elements and attributes of XML: whole numbers in their ranges, and no entities."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from collectives.errors import BadInput
from collectives.words import brief

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

MAX_ELEMENTS = 1 << 18
MAX_DEPTH = 16  # of nested elements
MAX_DIGITS = 18


def tree_of(content: bytes) -> Element:
    """The elements of a file; entities and document types are refused, and deep nesting."""
    from xml.etree.ElementTree import ParseError

    from defusedxml import DefusedXmlException
    from defusedxml.ElementTree import iterparse

    depth = elements = 0
    try:
        parser: Any = iterparse(io.BytesIO(content), ("start", "end"), forbid_dtd=True)
        for event, _ in parser:
            depth += 1 if event == "start" else -1
            elements += event == "start"
            if elements > MAX_ELEMENTS:
                raise BadInput(f"more than {MAX_ELEMENTS} elements, the limit")
            if depth > MAX_DEPTH:
                raise BadInput(f"elements are nested more than {MAX_DEPTH} deep")
    except BadInput:
        raise
    except ParseError as problem:
        raise BadInput(f"not XML: {brief(str(problem))[1:-1]}") from None
    except DefusedXmlException:
        raise BadInput("it has a document type or entities, which are not read") from None
    except (ValueError, LookupError) as problem:  # an encoding that is not known
        raise BadInput(f"not XML: {brief(str(problem))[1:-1]}") from None
    root: Element = parser.root
    return root


def children(element: Element, tag: str, *others: str) -> Iterator[Element]:
    """The elements inside; raises BadInput for one of another kind."""
    for child in element:
        if child.tag not in (tag, *others):
            raise BadInput(f"<{brief(child.tag)[1:-1]}> in <{element.tag}>; try: <{tag}>")
        yield child


def number_of(
    element: Element, name: str, where: str, minimum: int, maximum: int, usual: int | None = None
) -> int:
    """A whole number among the attributes; raises BadInput where it is none or out of range."""
    text = element.get(name)
    if text is None:
        if usual is not None:
            return usual
        raise BadInput(f'{where}: has no {name}; try: {name}="{max(0, minimum)}"')
    plain = text.strip().removeprefix("-")
    if not (plain.isascii() and plain.isdigit()) or len(plain) > MAX_DIGITS:
        rule = f"must be a whole number, {minimum} to {maximum}"
        raise BadInput(f'{where}: {name}="{brief(text)[1:-1]}" {rule}; try: {max(0, minimum)}')
    value = int(text)
    if not minimum <= value <= maximum:
        near = min(max(value, minimum), maximum)
        raise BadInput(f"{where}: {name}={value} must be {minimum} to {maximum}; try: {near}")
    return value
