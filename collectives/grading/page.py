"""The page of what most of a class got wrong: one HTML file, which needs no network."""

from __future__ import annotations

from html import escape

from collectives.grading.grades import Grades, Mistake
from collectives.words import plural

STYLE = """
body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;
background:#fff;color:#1a1a1a}
table{border-collapse:collapse;margin:1rem 0}
th,td{text-align:left;padding:.3rem .8rem;border-bottom:1px solid #bbb;vertical-align:top}
td.n,th+th{text-align:right;font-variant-numeric:tabular-nums}
meter{width:8rem}section{border-left:4px solid #0072b2;padding-left:1rem;margin:2rem 0}
code{overflow-wrap:anywhere}
@media(prefers-color-scheme:dark){body{background:#161616;color:#eee}}
"""


MARK = "what most got wrong"


def page(grades: Grades) -> str:
    """The page: points by check, and each mistake with who made it."""
    name = escape(grades.homework.path.name)
    means = [graded.points for graded in grades.students]
    mean = sum(means) / len(means)
    parts = [
        f"<h1>{name}: {MARK}</h1>",
        f"<p>{plural(len(means), 'student')}: {mean:.3g} points on average.</p>",
        "<h2>Points by check</h2>",
        "<table><tr><th>check</th><th>mean</th><th>of</th><th></th></tr>",
        *(_row(escape(check), got, full) for check, got, full in grades.lost),
        "</table>",
        "<h2>Mistakes, the most frequent first</h2>",
        *map(_section, grades.groups),
        f"<p>Students\u2019 code: {escape(grades.confinement)}.</p>",
    ]
    head = (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width">'
        '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; '
        "style-src 'unsafe-inline'\">"
        f"<title>{name}: {MARK}</title><style>{STYLE}</style></head>"
    )
    body = "\n".join(parts)
    return f"{head}<body><main>\n{body}\n</main></body></html>\n"


def _section(group: Mistake) -> str:
    students = ", ".join(map(escape, group.students))
    return (
        f"<section><h3>{plural(len(group.students), 'student')}: {escape(group.title)}</h3>"
        f"<p>{students}</p><p><code>{escape(group.diagnosis.text)}</code></p></section>"
    )


def _row(check: str, got: float, full: float) -> str:
    """A row of the table of checks: the mean of the points, the most there are, and a meter."""
    meter = f'<meter aria-label="{check}" max="{full:g}" value="{got:g}"></meter>'
    return (
        f'<tr><td>{check}</td><td class="n">{got:.3g}</td><td class="n">{full:g}</td>'
        f"<td>{meter}</td></tr>"
    )
