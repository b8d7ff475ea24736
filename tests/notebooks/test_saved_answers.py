"""What was answered to predictions, as a file: a row for each question, skipped ones too."""

import csv
import json
from types import SimpleNamespace

import pytest

from animations import Prediction
from animations.lab import predictions, save_answers
from collectives import BadInput

ASKED = predictions.ring_questions.doubled(32)
ANSWER = {"kind": "prediction", "step": 1, "asked": "=1+1", "answered": "126", "right": True}
SKIPPED = {"kind": "prediction", "step": 1, "asked": "How many?", "answered": None, "right": None}


@pytest.fixture
def answered():
    prediction = Prediction(ASKED)
    prediction.answers = [ANSWER, SKIPPED]
    return prediction


def test_a_row_for_each_question_tells_what_was_answered(answered, tmp_path):
    save_answers(tmp_path / "ann.csv", answered, Prediction(ASKED))
    first, second = csv.DictReader((tmp_path / "ann.csv").read_text().splitlines())
    assert (first["prediction"], first["asked"], first["right"]) == ("1", "'=1+1", "True")
    assert (second["asked"], second["answered"], second["right"]) == ("How many?", "", "")
    save_answers(tmp_path / "ann.json", answered)
    assert [row["answered"] for row in json.loads((tmp_path / "ann.json").read_text())] == [
        "126",
        None,
    ]
    with pytest.raises(BadInput, match=r"ann\.csv"):
        save_answers(tmp_path / "ann.txt", answered)


def test_by_default_those_that_end_a_cell_are_saved(answered, tmp_path, monkeypatch):
    shell = SimpleNamespace(user_ns={"Out": {1: answered, 2: 5, 3: answered}})
    place = "animations.notebook.saved_answers.InteractiveShell"
    monkeypatch.setattr(f"{place}.initialized", lambda: True)
    monkeypatch.setattr(f"{place}.instance", lambda: shell)
    save_answers(tmp_path / "ann.json")
    assert len(json.loads((tmp_path / "ann.json").read_text())) == 2
