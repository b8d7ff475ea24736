"""Predictions in a notebook: what they hide is seen once they are answered, and where saved."""

import pytest
from lazy import lazy
from playwright.sync_api import expect
from test_stepper_ask import MODEL

from animations import Modeler, Prediction, Stepper
from animations.lab.predictions import ring_questions, training
from animations.player.page import asset, player_script, player_style
from collectives import BadInput, record

ASKED = ring_questions.doubled(32)
TABLE = "64 ranks take <126> steps"
SKIPPED = {"kind": "prediction", "step": 1, "answered": None, "because": None, "right": None}


def table():
    print(TABLE)


def shown(prediction):
    """What is seen below the questions."""
    return [output.get("text") or output["data"] for output in prediction._below.outputs]


def skipped(question):
    asked = f"{question.prompt} ({question.detail})"
    return {**SKIPPED, "asked": asked, "right_reason": None}


def test_what_is_hidden_is_seen_when_all_is_answered_or_skipped():
    prediction = Prediction(ASKED, table)
    assert (prediction.is_shown, shown(prediction)) == (False, [])
    prediction.set_state({"answers": [skipped(ASKED[0])]})
    assert (prediction.is_shown, shown(prediction)) == (False, [])
    prediction.set_state({"answers": [skipped(each) for each in ASKED]})
    assert (prediction.is_shown, shown(prediction)) == (True, [f"{TABLE}\n"])
    prediction.answers = []
    assert shown(prediction) == []
    assert shown(Prediction([], table)) == [f"{TABLE}\n"]
    assert shown(Prediction([], lambda: 126)) == [{"text/plain": "126"}]


def test_a_saved_prediction_has_answers_folded_and_what_it_hides():
    saved = Prediction(ASKED, table)._repr_html_()
    assert saved.count("<details><summary>Answer</summary><p>126 steps: two laps") == 1
    assert "<li>3.875 S</li>" in saved and "&lt;126&gt; steps" in saved
    assert saved.index("How many bytes") < saved.index("&lt;126&gt;")


@pytest.mark.parametrize(
    ("hidden", "seen"), [(table, "pre"), (Stepper("all_reduce", "ring", ranks=4), "iframe")]
)
def test_an_export_shows_no_answer_before_it_is_opened(hidden, seen, tmp_path, window):
    output = lazy.nbformat.v4.new_output("display_data", data=Prediction(ASKED, hidden)._frame())
    cell = lazy.nbformat.v4.new_code_cell("Prediction()", outputs=[output])
    notebook = lazy.nbformat.v4.new_notebook(cells=[cell])
    path = tmp_path / "exported.html"
    path.write_text(lazy.nbconvert.HTMLExporter().from_notebook_node(notebook)[0])
    window.goto(path.as_uri())
    text = window.locator(".jp-OutputArea-output").inner_text()
    assert ASKED[0].prompt in text and "126" not in text
    answer = window.locator(f".jp-OutputArea-output {seen}").last
    expect(answer).to_be_hidden()
    window.get_by_text("When you have answered").click()
    expect(answer).to_be_visible()


def test_what_nothing_is_asked_about_is_not_folded():
    assert "<details>" not in Prediction([], table)._repr_html_()


@pytest.mark.parametrize("hidden", [Stepper("all_reduce", "ring", ranks=4), Modeler(ranks=8)])
def test_hidden_widgets_live_below_and_are_saved_as_they_are(hidden):
    asked = training.of_modeler(hidden) if isinstance(hidden, Modeler) else ASKED
    prediction = Prediction(asked, hidden)
    prediction._saved.append(told := Told())
    assert shown(prediction) == [] and "<iframe" in prediction._repr_html_()
    assert prediction._repr_html_().count(' data-saved="') == 1  # else the questions were hidden
    hidden.ranks = 16
    assert "16" in told.data["text/html"]
    prediction.answers = [skipped(each) for each in asked]
    [view] = shown(prediction)
    assert view == hidden._widget()


class Told:
    """An output of a notebook."""

    def update(self, data, raw):
        self.data = data


def test_something_else_than_questions_is_refused():
    for given in ("steps", [3], 3):
        with pytest.raises(BadInput, match="instead of Question; try: "):
            Prediction(given)


def test_a_stepper_asks_what_a_function_makes_of_its_recording():
    stepper = Stepper("all_reduce", "ring", ranks=3, ask=ring_questions.halfway)
    stepper.step = 1
    with pytest.raises(BadInput, match="step 2: locked until the question before step 2 is"):
        stepper.step = 2
    assert "<details><summary>Answer</summary>" in stepper._repr_html_()
    stepper.algorithm = "tree"
    stepper.step = len(record("all_reduce", "tree", ranks=3).steps)


def test_it_is_answered_by_keys_alone_and_asked_again(window):
    prediction = Prediction(ASKED, table)
    page = window
    page.emulate_media(reduced_motion="reduce")
    page.set_viewport_size({"width": 1000, "height": 700})
    code = player_script("entry/prediction.js", "prediction.html")
    code = code.replace("export default", "globalThis.widget =")
    style = player_style() + asset("prediction.css")
    page.set_content(f"<style>{style}</style><script type=module>{code}</script>")
    page.wait_for_function("globalThis.widget")
    page.evaluate(MODEL, {name: getattr(prediction, name) for name in ("key", "story", "answers")})
    panel = page.locator("[data-part=question]")
    page.keyboard.press("Tab")
    for key in (*"126", "Tab"):  # digits go to the field
        page.keyboard.press(key)
    page.keyboard.press("Enter")
    assert "126 steps: two laps" in panel.inner_text() and "Your reason" not in panel.inner_text()
    [first] = page.evaluate("model.values.answers")
    assert (first["answered"], first["right"], first["because"]) == ("126", True, None)
    page.keyboard.press("Enter")
    letters = [option.text for option in ASKED[1].options]
    wrong = ASKED[1].options[letters.index("3.875 S")]
    reasons = [reason.misconception for reason in ASKED[1].reasons]
    page.keyboard.press("abcd"[letters.index("3.875 S")])
    page.keyboard.press("123"[reasons.index(wrong.misconception)])
    page.keyboard.press("Enter")
    assert "Not right" in panel.inner_text() and "Your reason" in panel.inner_text()
    assert panel.inner_text().count(wrong.feedback) == 1
    answers = page.evaluate("model.values.answers")
    assert [each["right"] for each in answers] == [True, False]
    prediction.set_state({"answers": answers})
    assert prediction.is_shown
    page.keyboard.press("Enter")
    assert not panel.is_visible()
    page.get_by_role("button", name="Your prediction").click()
    assert "Not right" in panel.inner_text()
    page.evaluate("model.change('answers', [])")
    assert "How many steps" in panel.inner_text()
