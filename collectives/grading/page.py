"""The page of what most of a class got wrong: one HTML file, which needs no network."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from collectives.grading.grades import Grades, Mistake
from collectives.words import plural

STYLE = """
body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;
background:#fff;color:#1a1a1a}
table{border-collapse:collapse;margin:1rem 0}
th,td{text-align:left;padding:.3rem .8rem;border-bottom:1px solid #bbb;vertical-align:top}
td.n,th.n{text-align:right;font-variant-numeric:tabular-nums}
meter{width:8rem}section{border-left:4px solid #0072b2;padding-left:1rem;margin:2rem 0}
code{overflow-wrap:anywhere}.scroll{overflow-x:auto}
@media(prefers-color-scheme:dark){body{background:#161616;color:#eee}}
"""


def page(grades: Grades) -> str:
    """The page: points by check, and each mistake with who made it."""
    name = escape(grades.homework.path.name)
    means = [graded.points for graded in grades.students]
    mean = sum(means) / len(means)
    parts = [
        f"<h1>{name}: what most got wrong</h1>",
        f"<p>{plural(len(means), 'student')}: {mean:.3g} points on average.</p>",
        "<h2>Points by check</h2>",
        _table(
            ("check", "mean", "of", ""),
            (
                (escape(check), f"{got:.3g}", f"{full:g}", _meter(check, got, full))
                for check, got, full in grades.lost
            ),
        ),
        "<h2>Mistakes, the most frequent first</h2>",
        *map(_section, grades.groups),
        f"<p>Students\u2019 code: {escape(grades.confinement)}.</p>",
    ]
    head = (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width">'
        '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; '
        "style-src 'unsafe-inline'\">"
        f"<title>{name}: what most got wrong</title><style>{STYLE}</style></head>"
    )
    body = "\n".join(parts)
    return f"{head}<body><main>\n{body}\n</main></body></html>\n"


def _section(group: Mistake) -> str:
    students = ", ".join(map(escape, group.students))
    return (
        f"<section><h3>{plural(len(group.students), 'student')}: {escape(group.title)}</h3>"
        f"<p>{students}</p><p><code>{escape(group.diagnosis.text)}</code></p></section>"
    )


def _meter(check: str, got: float, full: float) -> str:
    label = f"{escape(check)}: {got:.3g} of {full:g}"
    return f'<meter aria-label="{label}" max="{full:g}" value="{got:g}"></meter>'


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table whose second and third columns are numbers; cells are markup."""

    def line(tag: str, cells: Sequence[str]) -> str:
        marks = ("", ' class="n"', ' class="n"')
        return "".join(
            f"<{tag}{marks[at] if at < len(marks) else ''}>{cell}</{tag}>"
            for at, cell in enumerate(cells)
        )

    body = "".join(f"<tr>{line('td', row)}</tr>" for row in rows)
    return f'<div class="scroll"><table><tr>{line("th", head)}</tr>{body}</table></div>'
