"""What one takes away from a player of the site: lines that embed and cite it, files, a film."""

from __future__ import annotations

import json
import re
import shutil
from html import escape, unescape
from pathlib import Path

from animations.course.release import run_quietly
from animations.drawing.theme import LIGHT
from animations.player.element import SCRIPT
from animations.player.page import WEB
from animations.site.kept_files import KeptFiles
from animations.site.layout import settings
from animations.site.played import Played
from collectives.files import replacing
from collectives.recording.saved import save

HERE = Path(__file__).parent
NOTEBOOK = HERE / "templates" / "notebook.json"
CITATION = HERE.parent / "CITATION.cff"  # where pyproject.toml puts it in a wheel
FRAMED = re.compile(
    r'<iframe src="(?P<up>(?:\.\./)*)players/(?P<name>[^"#]+)\.html(?P<at>#[^"]*)?" '
    r'title="(?P<title>[^"]*)"[^>]*></iframe>(?:<p class="small">.*?</p>)?'
)
BELOW = '<details class="take">'
KINDS: dict[str, str] = settings()["kinds"]


def write_takeaways(kept: KeptFiles, played: Played) -> None:
    """Write the files of a player beside it: a picture of its middle, its steps, a notebook."""
    names = [f"players/{Path(played.file).stem}.{kind}" for kind in list(KINDS)[:-1]]
    kept.make(names, played.file, lambda: _write_files(kept.folder / "players", played))


def _write_files(folder: Path, played: Played) -> None:
    from animations.figures.slide import save as save_figure
    from animations.figures.still import figure

    stem = folder / Path(played.file).stem
    page = figure(played.board, (len(played.board.frames) + 1) // 2, LIGHT)
    for kind in ("svg", "png", "pdf"):
        save_figure(page, stem.with_name(f"{stem.name}.{kind}"), text=True)
    save(played.recording, stem.with_name(f"{stem.name}.json"))
    with replacing(stem.with_name(f"{stem.name}.ipynb")) as file:
        file.write(_notebook(played).encode())


def _notebook(played: Played) -> str:
    """A notebook that steps through the algorithm, and prints its steps."""
    row = played.row
    subject = f'"{row.collective}", "{row.algorithm}", ranks={played.ranks}'
    text = NOTEBOOK.read_text("utf-8")
    for place, value in (("HEADING", row.heading), ("SUBJECT", subject)):
        text = text.replace(place, json.dumps(value)[1:-1])
    return text


def write_film(kept: KeptFiles, file: str, words: str, is_asked: bool) -> None:
    """Render a film at 720p, with captions, by a command; one that was rendered before is kept."""
    files = [file, str(Path(file).with_suffix(".vtt"))]
    if not is_asked:
        for name in files:
            kept.keep(name)
        return
    words_of_all = [*words.split(), "-q", "m", "-o", str(kept.folder / file)]
    kept.make(files, words, lambda: run_quietly(words_of_all))


def completed(folder: Path, page: str, body: str) -> str:
    """The body of a page, with what is taken away below each player, and its film on top."""
    if BELOW in body or "<video" in body:  # it was kept
        return body
    film = Path(page).with_suffix(".mp4")
    if (folder / film).is_file():
        body = body.replace("</h1>", f"</h1>{_video(film.stem)}", 1)
    return FRAMED.sub(lambda match: match[0] + _below(folder, match), body)


def write_script(folder: Path) -> None:
    """Write the script of the element that frames players."""
    shutil.copy(WEB / "collective_player.js", folder / "players" / SCRIPT)


def _video(stem: str) -> str:
    """A film with its captions, which a reader may switch on: its pictures have them, too."""
    track = f'<track kind="captions" src="{stem}.vtt" srclang="en" label="English">'
    return f'<video controls preload="none" src="{stem}.mp4">{track}</video>'


def _below(folder: Path, match: re.Match[str]) -> str:
    """A picture for print, and what one can take away."""
    up, name, title = match["up"], match["name"], match["title"]
    there = [kind for kind in KINDS if (folder / f"players/{name}.{kind}").is_file()]
    text = ""
    if "svg" in there:
        text += f'<img class="printed-only" src="{up}players/{name}.svg" alt="{title}">'
    if "mp4" in there:
        text += _video(f"{up}players/{name}")
    address = f"players/{name}.html{match['at'] or ''}"
    values = {"address": address, "title": unescape(title), "script": f"players/{SCRIPT}"}
    lines = {what: line.format_map(values) for what, line in settings()["embedding"].items()}
    lines["Cite"] = bibtex(unescape(title))
    items = "".join(
        f'<dt>{what}</dt><dd><pre data-site="{up or "./"}"><code>{escape(line)}</code></pre></dd>'
        for what, line in lines.items()
    )
    if there:
        links = " · ".join(
            f'<a href="{up}players/{name}.{kind}" download>{KINDS[kind]}</a>' for kind in there
        )
        items += f"<dt>Download</dt><dd>{links}</dd>"
    summary = "Embed, cite, download" if there else "Embed, cite"
    return f"{text}{BELOW}<summary>{summary}</summary><dl>{items}</dl></details>"


def bibtex(title: str) -> str:
    """An entry of BibTeX for a picture, by CITATION.cff."""
    path = CITATION if CITATION.is_file() else HERE.parents[1] / CITATION.name
    text = path.read_text("utf-8")
    facts = dict(
        re.findall(r'^(?:  - )?(title|version|date-released|name): "?(.*?)"?$', text, re.M)
    )
    return str(settings()["citing"].format(**facts, year=facts["date-released"][:4], note=title))
