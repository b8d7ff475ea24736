"""Questions of lectures wait: three options, then a pause that is seen, longer than its words."""

from animations.course.lecture import lectures
from animations.course.lecture_file import lecture_score
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


def test_the_first_option_is_written_when_the_question_has_been_asked():
    [page] = [p.shown for p in lecture_score("trees").passages if isinstance(p.shown, QuestionPage)]
    early, late = ([line.text for line in page.at(1, time).lines] for time in (0.5, 1.0))
    option = page.texts[0].split()[0]
    assert not any(text.startswith(option) for text in early)
    assert any(text.startswith(option) for text in late)
