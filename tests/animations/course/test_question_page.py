"""Questions of lectures wait: three options, then a pause that is seen, longer than its words."""

from animations.course.lecture import Writer, lectures
from animations.course.lecture_file import lecture_score
from animations.course.parts import quantities
from animations.course.text_pages import QuestionPage
from animations.score.pacing import spoken_seconds

ASKING = [
    name
    for name, lecture in lectures().items()
    if any(table["show"] == "question" for table in lecture.passages)
]
LONG_ENOUGH = 4  # seconds


def bar_of(page, time):
    return page.at(page.items, time).boxes[-1].box


def test_questions_have_three_options_and_wait():
    assert len(ASKING) >= 3
    for name in ASKING:
        for table in lectures()[name].passages:
            if table["show"] == "question":
                options = [line["line"]["en"] for line in table["say"] if "line" in line]
                assert len(set(options)) >= 3
                assert table["say"][-1]["wait"] >= LONG_ENOUGH


def test_a_pause_is_seen_and_longer_than_its_words():
    [passage] = [
        passage
        for passage in lecture_score("machines").passages
        if isinstance(passage.shown, QuestionPage)
    ]
    page, pause = passage.shown, passage.shots[-1]
    assert pause.travels
    assert pause.seconds >= spoken_seconds(pause.said) + LONG_ENOUGH
    first, middle, last = (bar_of(page, time) for time in (0.0, 0.5, 1.0))
    assert first.width > 1000 > middle.width > 100 > last.width
    assert first.left == middle.left == last.left
    lines = [line.text for line in page.at(page.items, 0.5).lines]
    assert all(text in " ".join(lines) for text in page.texts)


def test_a_pause_shows_all_that_options_recall_one_below_the_other():
    lecture = lectures()["what-is-a-collective"]
    table = next(passage for passage in lecture.passages if passage["show"] == "question")
    recalls = (
        {"page": "One rank and all others", "item": 4},
        {"page": "A part for each, or all parts for all"},
    )
    asked = [{**line, "recall": it} for line, it in zip(table["say"], recalls, strict=False)]
    writer = Writer(lecture, "en", quantities(lecture.numbers))
    page = writer.passage({**table, "say": [*asked, *table["say"][2:]]}).shown
    names = ("broadcast", "reduce-scatter")
    bases = [
        [line.baseline for line in page.at(item, 1.0).lines if line.text == name]
        for item in (2, page.items)
        for name in names
    ]
    assert [len(lines) for lines in bases] == [0, 1, 1, 1]
    assert bases[2][0] < bases[3][0]
