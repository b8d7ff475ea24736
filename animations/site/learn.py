"""The lectures as pages: pictures and sentences of the handout, then exercises with answers."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from pathlib import Path

from animations.course.handout import exercises_of, parts_of, without_gaps
from animations.course.lecture import Lecture
from animations.site.algorithms import algorithm_file
from animations.site.layout import listed_links, write_sheet
from collectives.catalog import ROWS, find_row
from collectives.exercises import Exercise
from collectives.files import replacing

FILMED = ("algorithm", "clock", "compare")  # passages that are films of algorithms
NAMES = {row.algorithm for row in ROWS}


def write_learn(
    folder: Path, course: Sequence[Lecture], labs: Sequence[tuple[str, str]] = ()
) -> None:
    """Write a page for each lecture, and the list of them and of labs."""
    for lecture in course:
        _write_lecture(folder, lecture)
    links = [(f"{each.name}.html", f"{each.number}. {each.title['en']}") for each in course]
    body = "<h1>Learn</h1><p>Each lecture has pictures, their sentences and exercises.</p>"
    body += listed_links(links) + "<h2>Labs</h2><p>Exercises that are checked, as notebooks.</p>"
    write_sheet(folder, "learn/index.html", "Learn", body + listed_links(labs))


def _write_lecture(folder: Path, lecture: Lecture) -> None:
    """A lecture with its pictures beside it."""
    pictures = folder / "learn" / lecture.name
    pictures.mkdir(parents=True, exist_ok=True)
    title = lecture.title["en"]
    body = f'<h1>{escape(title)}</h1><p class="small">Lecture {lecture.number}</p>'
    for number, part in enumerate(parts_of(lecture, "en")):
        with replacing(pictures / f"{number}.png") as file:
            file.write(part.picture)
        text = "".join(f"<p>{escape(without_gaps(line))}</p>" for line in part.sentences)
        picture = f'<img src="{lecture.name}/{number}.png" alt="{escape(part.shows)}" '
        picture += 'width="1280" height="720" loading="lazy">'
        heading = f"<h2>{escape(part.heading)}</h2>" if part.heading else ""
        body += f'<section class="passage">{heading}{picture}<div>{text}</div></section>'
    body += "<h2>Exercises</h2><ol>"
    body += "".join(f"<li>{_exercise(problem)}</li>" for problem in exercises_of(lecture))
    body += "</ol>" + _algorithms(folder, lecture)
    body += f"<pre><code>collectives lecture {lecture.name}</code></pre>"
    write_sheet(folder, f"learn/{lecture.name}.html", title, body)


def _algorithms(folder: Path, lecture: Lecture) -> str:
    """Links to the pages of the algorithms that it shows, where they are written."""
    rows = [
        find_row(table["collective"], name)
        for table in lecture.passages
        for name in table.get("algorithms", [table.get("algorithm")])
        if table["show"] in FILMED and name in NAMES
    ]
    files = {algorithm_file(row): row.heading for row in rows}
    links = [(f"../{file}", text) for file, text in files.items() if (folder / file).is_file()]
    return f"<h2>Its algorithms</h2>{listed_links(links)}" if links else ""


def _exercise(problem: Exercise) -> str:
    """An exercise; its answer is seen when it is asked for."""
    text = f"<p>{escape(problem.title)}. {escape(problem.text)}</p>"
    if problem.material:
        text += f"<pre><code>{escape(chr(10).join(problem.material))}</code></pre>"
    if problem.answers and problem.value is None:
        items = "".join(f"<li>{escape(offered.text)}</li>" for offered in problem.answers)
        text += f'<ol type="A">{items}</ol>'
    solution = escape(" ".join(problem.solution()))
    return f"{text}<details><summary>Answer</summary><p>{solution}</p></details>"
