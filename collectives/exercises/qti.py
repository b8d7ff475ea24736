"""Writes exercises as QTI: version 1.2 in one file, version 2.1 as a package for other systems.

Of IMS (now 1EdTech) Question and Test Interoperability, versions 1.2.1 and 2.1; in 1.2 the fields
of metadata are those that Canvas reads (question_type, points_possible).
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Sequence
from html import escape
from xml.etree import ElementTree as ET

from collectives.exercises.exercise import TOLERANCE, Exercise

QTI_12 = "http://www.imsglobal.org/xsd/ims_qtiasiv1p2"
QTI_21 = "http://www.imsglobal.org/xsd/imsqti_v2p1"
PACKAGE = "http://www.imsglobal.org/xsd/imscp_v1p1"
MOMENT = (2000, 1, 1, 0, 0, 0)  # of files in the package, so that it is the same every time


def qti_12(title: str, exercises: Sequence[Exercise]) -> str:
    """The exercises as a document of QTI 1.2."""
    root = ET.Element("questestinterop", xmlns=QTI_12)
    assessment = ET.SubElement(root, "assessment", ident="sheet", title=title)
    section = ET.SubElement(assessment, "section", ident="root_section")
    for number, problem in enumerate(exercises, 1):
        _item_12(section, number, problem)
    return _document(root)


def _item_12(section: ET.Element, number: int, problem: Exercise) -> None:
    item = ET.SubElement(section, "item", ident=f"item{number}", title=problem.title)
    fields = ET.SubElement(ET.SubElement(item, "itemmetadata"), "qtimetadata")
    numeric = problem.value is not None
    kind = "numerical_question" if numeric else "multiple_choice_question"
    for name, entry in (("question_type", kind), ("points_possible", "1")):
        field = ET.SubElement(fields, "qtimetadatafield")
        ET.SubElement(field, "fieldlabel").text = name
        ET.SubElement(field, "fieldentry").text = entry
    presentation = ET.SubElement(item, "presentation")
    _material_12(presentation, _html(problem))
    processing = ET.SubElement(item, "resprocessing")
    outcomes = ET.SubElement(processing, "outcomes")
    ET.SubElement(
        outcomes, "decvar", maxvalue="100", minvalue="0", varname="SCORE", vartype="Decimal"
    )
    condition = ET.SubElement(processing, "respcondition", {"continue": "No"})
    test = ET.SubElement(condition, "conditionvar")
    if problem.value is not None:
        response = ET.SubElement(
            presentation, "response_str", ident="response1", rcardinality="Single"
        )
        fib = ET.SubElement(response, "render_fib", fibtype="Decimal")
        ET.SubElement(fib, "response_label", ident="answer1")
        near = 0 if problem.exact else abs(problem.value) * TOLERANCE
        both = ET.SubElement(test, "and")
        ET.SubElement(both, "vargte", respident="response1").text = f"{problem.value - near:.9g}"
        ET.SubElement(both, "varlte", respident="response1").text = f"{problem.value + near:.9g}"
    else:
        response = ET.SubElement(
            presentation, "response_lid", ident="response1", rcardinality="Single"
        )
        offered = ET.SubElement(response, "render_choice")
        for at, answer in enumerate(problem.answers):
            label = ET.SubElement(offered, "response_label", ident=f"answer{at}")
            _material_12(label, escape(answer.text, quote=False))
            if answer.right:
                ET.SubElement(test, "varequal", respident="response1").text = f"answer{at}"
    ET.SubElement(condition, "setvar", action="Set", varname="SCORE").text = "100"
    ET.SubElement(condition, "displayfeedback", feedbacktype="Response", linkrefid="general_fb")
    feedback = ET.SubElement(item, "itemfeedback", ident="general_fb")
    flow = ET.SubElement(feedback, "flow_mat")
    _material_12(flow, escape(problem.explanation, quote=False))


def _material_12(parent: ET.Element, html: str) -> None:
    material = ET.SubElement(parent, "material")
    ET.SubElement(material, "mattext", texttype="text/html").text = html


def _html(problem: Exercise) -> str:
    """The problem as the text that a system of version 1.2 shows as HTML."""
    lines = [f"<p>{escape(text, quote=False)}</p>" for text in (problem.title, problem.text)]
    if problem.material:
        lines.append(f"<pre>{escape(chr(10).join(problem.material), quote=False)}</pre>")
    return "".join(lines)


def qti_21(title: str, exercises: Sequence[Exercise]) -> bytes:
    """The exercises as a package of QTI 2.1: a manifest, a test, and a file for each."""
    files = {f"item{n}.xml": _item_21(n, problem) for n, problem in enumerate(exercises, 1)}
    files = {
        "imsmanifest.xml": _manifest(list(files)),
        "test.xml": _test_21(title, list(files)),
        **files,
    }
    package = io.BytesIO()
    with zipfile.ZipFile(package, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(zipfile.ZipInfo(name, MOMENT), text)
    return package.getvalue()


def _manifest(items: list[str]) -> str:
    root = ET.Element("manifest", xmlns=PACKAGE, identifier="sheet")
    metadata = ET.SubElement(root, "metadata")
    ET.SubElement(metadata, "schema").text = "QTIv2.1 Package"
    ET.SubElement(metadata, "schemaversion").text = "1.0.0"
    ET.SubElement(root, "organizations")
    resources = ET.SubElement(root, "resources")
    for name, kind in [("test.xml", "imsqti_test_xmlv2p1")] + [
        (name, "imsqti_item_xmlv2p1") for name in items
    ]:
        ident = f"file_{name.removesuffix('.xml')}"
        resource = ET.SubElement(resources, "resource", identifier=ident, type=kind, href=name)
        ET.SubElement(resource, "file", href=name)
    return _document(root)


def _test_21(title: str, items: list[str]) -> str:
    root = ET.Element("assessmentTest", xmlns=QTI_21, identifier="sheet", title=title)
    part = ET.SubElement(
        root,
        "testPart",
        identifier="part1",
        navigationMode="nonlinear",
        submissionMode="individual",
    )
    section = ET.SubElement(
        part, "assessmentSection", identifier="section1", title=title, visible="true"
    )
    for name in items:
        ident = name.removesuffix(".xml")
        ET.SubElement(section, "assessmentItemRef", identifier=ident, href=name)
    return _document(root)


def _item_21(number: int, problem: Exercise) -> str:
    root = ET.Element(
        "assessmentItem",
        xmlns=QTI_21,
        identifier=f"item{number}",
        title=problem.title,
        adaptive="false",
        timeDependent="false",
    )
    numeric = problem.value is not None
    declaration = ET.SubElement(
        root,
        "responseDeclaration",
        identifier="RESPONSE",
        cardinality="single",
        baseType="float" if numeric else "identifier",
    )
    correct = ET.SubElement(ET.SubElement(declaration, "correctResponse"), "value")
    outcome = ET.SubElement(
        root, "outcomeDeclaration", identifier="SCORE", cardinality="single", baseType="float"
    )
    ET.SubElement(ET.SubElement(outcome, "defaultValue"), "value").text = "0"
    body = ET.SubElement(root, "itemBody")
    ET.SubElement(body, "p").text = problem.title
    ET.SubElement(body, "p").text = problem.text
    if problem.material:
        ET.SubElement(body, "pre").text = "\n".join(problem.material)
    if problem.value is not None:
        correct.text = f"{problem.value:.9g}"
        line = ET.SubElement(body, "p")
        field = ET.SubElement(line, "textEntryInteraction", responseIdentifier="RESPONSE")
        field.tail = f" {problem.unit}".rstrip()
    else:
        interaction = ET.SubElement(
            body,
            "choiceInteraction",
            responseIdentifier="RESPONSE",
            shuffle="false",
            maxChoices="1",
        )
        for at, answer in enumerate(problem.answers):
            choice = ET.SubElement(interaction, "simpleChoice", identifier=f"answer{at}")
            choice.text = answer.text
            if answer.right:
                correct.text = f"answer{at}"
    _processing_21(root, problem)
    return _document(root)


def _processing_21(root: ET.Element, problem: Exercise) -> None:
    """Sets the score to 1 where the response is the right one, or near it."""
    processing = ET.SubElement(root, "responseProcessing")
    condition = ET.SubElement(ET.SubElement(processing, "responseCondition"), "responseIf")
    if problem.value is None or problem.exact:
        equal = ET.SubElement(condition, "match")
    else:
        percent = f"{TOLERANCE * 100:g}"
        equal = ET.SubElement(
            condition, "equal", toleranceMode="relative", tolerance=f"{percent} {percent}"
        )
    ET.SubElement(equal, "variable", identifier="RESPONSE")
    ET.SubElement(equal, "correct", identifier="RESPONSE")
    score = ET.SubElement(condition, "setOutcomeValue", identifier="SCORE")
    ET.SubElement(score, "baseValue", baseType="float").text = "1"


def _document(root: ET.Element) -> str:
    ET.indent(root)
    head = '<?xml version="1.0" encoding="UTF-8"?>'
    return f"{head}\n{ET.tostring(root, encoding='unicode')}\n"
