"""The modules of the player become one: in the order of their imports, with no name twice."""

import re

import pytest

from animations.player.pack.modules import joined, with_short_names, without_spaces
from animations.player.page import WEB, player_script

ONE = '// One.\nimport { two } from "./deep/two.js";\n\n/** Doc: a/b */\nexport const one = two;\n'
TWO = "// Two.\n\n/**\n * Doc.\n * @type {number}\n */\nexport const two = 2;\n"


def folder_of(tmp_path, **texts):
    (tmp_path / "deep").mkdir()
    for name, text in ({"one": ONE, "deep/two": TWO} | texts).items():
        (tmp_path / f"{name}.js").write_text(text)
    return tmp_path


def test_needed_modules_come_first_and_only_the_last_exports(tmp_path):
    assert joined(folder_of(tmp_path), "one.js") == "const two = 2;\nexport const one = two;\n"


def test_a_module_that_two_need_comes_once(tmp_path):
    both = 'import { one } from "../one.js";\nimport { two } from "./two.js";\nlet x = one + two;\n'
    text = joined(folder_of(tmp_path, **{"deep/both": both}), "deep/both.js")
    assert text == "const two = 2;\nconst one = two;\nlet x = one + two;\n"


def test_types_and_remarks_within_a_line_are_left_out(tmp_path):
    """But nothing that may be in a string."""
    kept = 'let u = "a // b";\nlet v = `a // b`;\nlet w = "a:// b";\n'
    one = f"let x = /** @type {{any}} */ (y);\nlet z; // a\n{kept}"
    assert joined(folder_of(tmp_path, one=one), "one.js") == f"let x = (y);\nlet z;\n{kept}"


def test_long_names_of_the_top_level_are_short_but_not_those_of_properties_or_in_quotes():
    code = """const [longName, aLabel] = [1, 2];
function drawCell(aa) {
  const innerName = longName + aa.aLabel;
  return `${innerName} ${longName}`;
}
export function keptName() {
  return drawCell({ aLabel: aLabel });
}
let quotedName = "quotedName";
"""
    short = code.replace("longName", "a0").replace("drawCell", "b0")
    assert with_short_names(code) == short


@pytest.mark.parametrize(
    ("texts", "told"),
    [
        ({"one": ONE + "function two() {}\n"}, "two: in two.js and in one.js"),
        ({"one": ONE + "let [three, two] = [3, 2];\n"}, "two: in two.js and in one.js"),
        ({"deep/two": 'import { one } from "../one.js";\n' + TWO}, "imports itself by two.js"),
        ({"one": 'import { x } from "./none.js";\n'}, "none.js, which is not there"),
        ({"one": 'import { three } from "./deep/two.js";\n'}, "two.js does not export three"),
        ({"one": 'import * as two from "./deep/two.js";\n'}, "of another form"),
        ({"deep/two": "const two = 2;\nexport { two };\n"}, "of another form"),
        ({"one": ONE + "export { one };\n"}, "of another form"),
    ],
)
def test_modules_that_do_not_fit_are_refused(texts, told, tmp_path):
    with pytest.raises(ValueError, match=told):
        joined(folder_of(tmp_path, **texts), "one.js")


@pytest.mark.parametrize(
    "entry", ["entry/page.js", "entry/choice.js", "entry/widget.js", "player.js"]
)
def test_the_player_is_one_module(entry):
    text = player_script(entry)
    assert not re.search(r"^import\b|/\*|^ *//", text, re.MULTILINE)
    assert len(re.findall(r"^export ", text, re.MULTILINE)) == (
        entry not in ("entry/page.js", "entry/choice.js")
    )


def test_spaces_go_that_mean_nothing():
    code = 'const a = (b, c = /[,;] = /g) => ({ d: `x, ${b ? `, y${c}` : ", "}`, e: "const g" });\n'
    short = 'let a=(b,c=/[,;] = /g)=>({d:`x, ${b ? `, y${c}` : ", "}`,e:"const g"});\n'
    assert without_spaces(code) == short


def test_each_module_is_short_and_says_what_it_is_for():
    paths = [*WEB.rglob("*.js"), *WEB.rglob("*.ts")]
    assert len(paths) > 80
    for path in paths:
        lines = path.read_text().splitlines()
        assert re.fullmatch(r"// [A-Z].*", lines[0]), path
        assert len(lines) <= 350, path
