"""At work: a page for each question that a call answers, and the claims of widely read pages."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from pathlib import Path

from animations.site.advice import READING, write_advice
from animations.site.algorithms import algorithm_file
from animations.site.answers import ANSWERS
from animations.site.asked import AnsweredQuestion, questions
from animations.site.documents import markdown, title_of
from animations.site.layout import frame, link, listed_links, table, write_sheet
from collectives.catalog import find_row
from collectives.evidence.claims import answers, remarks
from collectives.evidence.claims_report import ClaimsReport

BANDWIDTH = "bandwidth.html"


def write_work(folder: Path, players: Mapping[tuple[str, str], str]) -> tuple[str, ...]:
    """Write questions and claims; returns the questions that nothing executed answers.

    players: the file of each algorithm's player, by collective and algorithm.
    """
    answered, missing = questions()
    links = [(_write_question(folder, asked, players), asked.asks) for asked in answered]
    _write_claims(folder)
    advice = write_advice(folder, {asked.number: asked.asks for asked in answered})
    text = markdown(Path(__file__).with_name(BANDWIDTH).with_suffix(".md").read_text("utf-8"))
    title = title_of(text)
    write_sheet(folder, f"work/{BANDWIDTH}", title, text, wide=True)
    advice.insert(0, (BANDWIDTH, title))
    body = "<h1>At work</h1><h2>When something is slow, wrong or hangs</h2>"
    body += listed_links((*advice, ("../docs/hangs.html", "Which rank hangs")))
    body += "<h2>Questions people ask</h2>" + listed_links(links)
    body += f"<h2>Claims</h2><p>{link('claims.html', 'What widely read pages say, recomputed')}</p>"
    write_sheet(folder, "work/index.html", "At work", body)
    return tuple(missing)


def _write_question(
    folder: Path, asked: AnsweredQuestion, players: Mapping[tuple[str, str], str]
) -> str:
    """Write the page of a question: the answer, what its command prints, a player; its file."""
    file = f"question-{asked.number}.html"
    body = f"<h1>{escape(asked.asks)}</h1>"
    body += "".join(f"<p>{escape(text)}</p>" for text in asked.paragraphs)
    player, samples = "", ""
    if asked.shows in players:
        title = " ".join(asked.shows).replace("_", "-")
        player = frame(f"../players/{players[asked.shows]}#embed", f"Player of {title}")
        page = f"../{algorithm_file(find_row(*asked.shows))}"
        player += f"<p>{link(page, f'All about {title}')}</p>"
    for name, text in asked.samples():
        samples += f"<h3>{escape(name)}</h3><pre><code>{escape(text)}</code></pre>"
    printed = f"<h2>Run it</h2><pre class=printed><code>$ {escape(asked.command)}\n"
    printed += f"{escape(asked.output())}</code></pre>"
    is_told = asked.number in ANSWERS  # by the paragraphs, else by what is printed
    body += player + printed + samples if is_told else printed + samples + player
    if asked.number in READING:
        body += f"<p>{link(BANDWIDTH, 'Read nccl-tests and NCCL’s log, step by step')}</p>"
    body += f"<h2>Where it was asked</h2><p>Others ask: {escape(asked.also)}</p>" + listed_links(
        map(_thread, asked.threads)
    )
    write_sheet(folder, f"work/{file}", asked.asks, body, wide=True)
    return file


def _thread(name: str) -> tuple[str, str]:
    """The address of a thread, which leads to issues and pull requests alike, and its name.

    Without a number it is that of a repository; of `arxiv:NUMBER` that of a paper.
    """
    if name.startswith("arxiv:"):
        return f"https://arxiv.org/abs/{name.removeprefix('arxiv:')}", name
    repository, _, number = name.partition("#")
    return f"https://github.com/{repository}{f'/issues/{number}' if number else ''}", name


def _write_claims(folder: Path) -> None:
    """Each claim that numbers settle, with the verdict and why."""
    report = ClaimsReport(answers(), remarks()).as_json()
    rows = [
        [escape(str(claim[key])) for key in ("claim", "page", "says", "verdict", "why")]
        for claim in report["claims"]
    ]
    body = f"<h1>Claims</h1><p>Of {report['looked_at']} claims that were looked at, "
    body += f"{report['settled']} are settled by numbers, recomputed here.</p>"
    every = table(("claim", "page", "says", "verdict", "why"), rows)
    body += f'<div data-filter="Rows that hold all of these words:">{every}</div>'
    body += '<script src="../site_tables.js"></script><pre><code>collectives claims</code></pre>'
    write_sheet(folder, "work/claims.html", "Claims", body)
