"""The lectures as pages: pictures and sentences of the handout, then exercises with answers."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from html import escape
from pathlib import Path

from animations.course.handout import exercises_of, parts_of, without_gaps
from animations.course.lecture import Lecture
from animations.course.release import PAPERS, run_quietly
from animations.site.algorithms import algorithm_file
from animations.site.kept_files import KeptFiles
from animations.site.layout import link, listed_links, settings, write_sheet
from collectives.catalog import ROWS, find_row
from collectives.exercises import Exercise
from collectives.files import replacing
from collectives.progress import counted

FILMED = ("algorithm", "clock", "compare")  # passages that are films of algorithms
NAMES = {row.algorithm for row in ROWS}


def write_learn(
    folder: Path, course: Sequence[Lecture], labs: Sequence[tuple[str, str]] = ()
) -> None:
    """Write a page for each lecture, and the list of them and of labs."""
    for number, lecture in enumerate(course):
        _write_lecture(folder, lecture, around(course, number), labs)
    links = [(f"{each.name}.html", f"{each.number}. {each.title['en']}") for each in course]
    body = "<h1>Learn</h1><p>Each lecture has pictures, their sentences and exercises.</p>"
    body += listed_links(links) + "<h2>Labs</h2><p>Exercises that are checked, as notebooks.</p>"
    write_sheet(folder, "learn/index.html", "Learn", body + listed_links(labs))


def write_papers(kept: KeptFiles, course: Sequence[Lecture], limit: int | None = None) -> None:
    """Write decks, handouts, quizzes of lectures, or the first few of them, into `papers/`."""
    papers = {"quiz.md": PAPERS["quiz.md"], **PAPERS}  # the quickest is the first
    for lecture in counted(course, "writing papers of lectures"):
        (kept.folder / "papers" / lecture.name).mkdir(parents=True, exist_ok=True)
        for name, words in list(papers.items())[:limit]:
            file = f"papers/{lecture.name}/{name}"
            files = [file, file.replace("quiz.md", "quiz-key.md")]  # a quiz has its key beside it
            path = str(kept.folder / file)
            line = ["lecture", lecture.name, *words.split(), "-o", path]
            kept.make(files, repr(vars(lecture)), partial(run_quietly, line))


def around(course: Sequence[Lecture], number: int) -> str:
    """Links to the lecture before and after, as far as there is one."""
    links = [
        link(f"{other.name}.html", f"{way}: {other.number}. {other.title['en']}")
        for way, at in (("Previous", number - 1), ("Next", number + 1))
        if 0 <= at < len(course)
        for other in [course[at]]
    ]
    return f'<nav aria-label="Lectures">{" · ".join(links)}</nav>' if links else ""


def _beside(folder: Path, lecture: Lecture, labs: Sequence[tuple[str, str]]) -> str:
    """Links to what there is of a lecture beside its page, and to the last lab up to it."""
    texts: dict[str, str] = settings()["papers"]
    place = f"papers/{lecture.name}"
    links = [
        (f"../{place}/{name}", text)
        for name, text in texts.items()
        if (folder / place / name).is_file()
    ]
    links += [pair for pair in labs if int(pair[0][4:6]) <= lecture.number][-1:]
    return " · ".join([f"Lecture {lecture.number}", *(link(*pair) for pair in links)])


def _write_lecture(
    folder: Path, lecture: Lecture, around: str, labs: Sequence[tuple[str, str]]
) -> None:
    """A lecture with its pictures beside it."""
    pictures = folder / "learn" / lecture.name
    pictures.mkdir(parents=True, exist_ok=True)
    title = lecture.title["en"]
    body = f'<h1>{escape(title)}</h1><p class="small">{_beside(folder, lecture, labs)}</p>'
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
    body += f"<pre><code>collectives lecture {lecture.name}</code></pre>{around}"
    write_sheet(folder, f"learn/{lecture.name}.html", title, body, wide=True, order=lecture.number)


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
