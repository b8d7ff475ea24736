"""Sheets as GIFT and QTI: what a learning system reads is what the exercises say."""

import io
import re
import tomllib
import zipfile
from pathlib import Path
from xml.etree import ElementTree as ET

from collectives.exercises import sheet
from collectives.exercises.gift import gift
from collectives.exercises.qti import QTI_12, QTI_21, qti_12, qti_21

SHEET = sheet("all-reduce", 10, seed=5).exercises
CHOSEN = [problem for problem in SHEET if problem.answers]
NUMBERS = [problem for problem in SHEET if not problem.answers]
RULES = Path(__file__).parents[1] / "data" / "qti_structure.toml"
ONE, TWO = f"{{{QTI_12}}}", f"{{{QTI_21}}}"


def right(problem):
    return next(k for k, answer in enumerate(problem.answers) if answer.right)


def test_there_are_both_forms():
    assert len(CHOSEN) > 2
    assert len(NUMBERS) > 2


def test_gift_has_each_question_with_one_right_answer():
    """Split where nothing escapes the sign, as Moodle does."""
    questions = gift(SHEET).strip().split("\n\n")
    assert len(questions) == len(SHEET)
    for question, problem in zip(questions, SHEET, strict=True):
        name, text, answers, rest = re.fullmatch(
            r"::((?:[^\\:]|\\.)*)::\[html\]((?:[^\\{]|\\.)*)\{((?:[^\\}]|\\.)*)\}(.*)",
            question,
            re.S,
        ).groups()
        assert rest == ""
        assert re.sub(r"\\(.)", r"\1", name) == (
            f"{problem.kind}, {problem.title}, seed {problem.seed}"
        )
        assert "<p>" in text
        body, why = re.split(r"(?<!\\)####", answers)
        assert re.sub(r"\\(.)", r"\1", why.strip()) == problem.explanation
        if problem.value is None:
            signs = re.findall(r"^([=~])", body, re.M)
            assert signs.count("=") == 1
            assert signs.index("=") == right(problem)
            assert len(signs) == len(problem.answers)
        else:
            value, near = map(float, body.strip().removeprefix("#").split(":"))
            assert abs(value - problem.value) <= 1e-8 * abs(value)
            assert (near == 0) == (problem.unit == "")


def test_qti_1_2_names_the_right_answers():
    root = ET.fromstring(qti_12("Sheet <1> & 2", SHEET))
    items = root.findall(f".//{ONE}item")
    assert len(items) == len(SHEET)
    assert root.find(f"{ONE}assessment").get("title") == "Sheet <1> & 2"
    for item, problem in zip(items, SHEET, strict=True):
        labels = [label.get("ident") for label in item.findall(f".//{ONE}response_label")]
        if problem.answers:
            assert len(labels) == len(problem.answers)
            assert item.find(f".//{ONE}varequal").text == labels[right(problem)]
        else:
            low, high = (float(item.find(f".//{ONE}{name}").text) for name in ("vargte", "varlte"))
            assert low <= problem.value * (1 + 1e-8)
            assert high >= problem.value * (1 - 1e-8)
            assert (high - low < 1e-6) == problem.exact


def test_qti_2_1_is_a_package_in_which_every_file_is_named():
    first, second = qti_21("Sheet", SHEET), qti_21("Sheet", SHEET)
    assert first == second
    with zipfile.ZipFile(io.BytesIO(first)) as package:
        assert package.testzip() is None
        names = set(package.namelist())
        manifest = package.read("imsmanifest.xml").decode()
        assert names - {"imsmanifest.xml"} == set(re.findall(r'<file href="([^"]+)"', manifest))
        listed = re.findall(r'href="([^"]+)"', package.read("test.xml").decode())
        assert listed == [f"item{number}.xml" for number in range(1, len(SHEET) + 1)]
        for number, problem in enumerate(SHEET, 1):
            item = ET.fromstring(package.read(f"item{number}.xml"))
            value = item.find(f"{TWO}responseDeclaration/{TWO}correctResponse/{TWO}value").text
            if problem.answers:
                choices = [c.get("identifier") for c in item.iter(f"{TWO}simpleChoice")]
                assert choices[right(problem)] == value
            else:
                assert abs(float(value) - problem.value) <= 1e-8 * abs(problem.value)
            assert (item.find(f".//{TWO}pre") is not None) == bool(problem.material)


def test_every_element_holds_what_the_schemas_of_qti_allow():
    """In their order, with the attributes that they need; no element that the table lacks."""
    rules = tomllib.loads(RULES.read_text("utf-8"))
    with zipfile.ZipFile(io.BytesIO(qti_21("Sheet", SHEET))) as package:
        names = [name for name in package.namelist() if name != "imsmanifest.xml"]
        newer = [package.read(name) for name in names]
    for version, texts in (("v12", [qti_12("Sheet", SHEET)]), ("v21", newer)):
        used = set()
        for element in (element for text in texts for element in ET.fromstring(text).iter()):
            name, children = (
                element.tag.partition("}")[2],
                "".join(f"{child.tag.partition('}')[2]} " for child in element),
            )
            rule = rules[version][name]
            assert re.fullmatch(rule["holds"], children), (version, name, children)
            assert {*rule["needs"]} <= {*element.keys()}, (version, name)
            used.add(name)
        assert {"responseIf", "textEntryInteraction"} <= used or version == "v12"
