"""Writes the transcript of a film with its stills, and the script for its speaker."""

from __future__ import annotations

import re
import shutil
import unicodedata
from pathlib import Path

from PIL import Image

from animations.drawing.theme import Theme
from animations.pictures.scene import scene_of, still
from animations.score.score import Score
from animations.score.transcript import chapters, script, transcript
from collectives.errors import BadInput
from collectives.files import put, working_folder

WIDTH = 1280  # pixels of a still
STILL = re.compile(r"\d+-[\w-]+\.png")
WORK = rf"stills/{STILL.pattern}|(text|script)\.md"


def write_transcript(score: Score, film: Path, theme: Theme) -> Path:
    """Write FILE.md with FILE-stills and FILE-script.md beside a film; the path of FILE.md."""
    text, folder = film.with_suffix(".md"), stills_folder(film)
    files, height = [], round(WIDTH * score.sheet.height / score.sheet.width)
    with working_folder(text, WORK) as work:
        (work / "stills").mkdir()
        for number, spoken in enumerate(chapters(score), 1):
            last = spoken[-1]
            plain = unicodedata.normalize("NFKD", last.chapter).encode("ascii", "ignore").decode()
            name = re.sub(r"[^\w]+", "-", plain).strip("-_").lower() or "film"
            files.append(f"{number}-{name}.png")
            pixels = still(scene_of(last.passage, theme), last.shot, 1.0, (WIDTH, height))
            Image.fromarray(pixels).save(work / "stills" / files[-1], "PNG", optimize=True)
        stills = [f"{folder.name}/{file}" for file in files]
        (work / "text.md").write_text(transcript(score, stills), "utf-8")
        (work / "script.md").write_text(script(score), "utf-8")
        stills_folder(film)  # again: meanwhile something may have been put there
        text.unlink(missing_ok=True)  # rather none, for a moment, than one with other stills
        if folder.exists():
            shutil.rmtree(folder)
        (work / "stills").rename(folder)
        put(work / "script.md", film.with_name(f"{film.stem}-script.md"))
        put(work / "text.md", text)
    return text


def stills_folder(film: Path) -> Path:
    """The folder of the stills of a film; raises BadInput where it has other files in it."""
    folder = film.with_name(f"{film.stem}-stills")
    if folder.exists() and not folder.is_dir():
        raise BadInput(f"--transcript: {folder} is a file; move it, or name another film")
    for file in sorted(folder.iterdir()) if folder.exists() else ():
        if not STILL.fullmatch(file.name):
            raise BadInput(f"--transcript: {file} is not a still; move it, or name another film")
    return folder
