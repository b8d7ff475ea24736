"""Builds the site: the landing page, and all that its doors lead to."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from animations.course.lecture import Lecture, lectures
from animations.player.pack.editor import editing_of_row
from animations.player.page import write_page
from animations.site.documents import write_documents
from animations.site.kept_files import KeptFiles
from animations.site.labs import write_labs
from animations.site.layout import settings, workshop, write_landing
from animations.site.learn import write_learn, write_papers
from animations.site.lookup import write_lookup
from animations.site.played import Played, played_rows
from animations.site.reference import write_reference
from animations.site.sheets import Changes, make_pages
from animations.site.site_times import MACHINE, RANKS
from animations.site.takeaways import write_film, write_script, write_takeaways
from animations.site.work import write_work
from animations.story.usual import usual_board
from collectives.catalog import ROWS, find_row
from collectives.collective import find_collective
from collectives.cost.machines.named import list_machines
from collectives.files import path_of
from collectives.progress import counted
from collectives.recording.recorder import record
from collectives.words import plural

FIRST = "players/first.html"


@dataclass(frozen=True)
class Site:
    """A site that was built.

    Attributes
    ----------
    folder : Path
        Where it is; `index.html` in it is the landing page.
    pages : int
        Files of HTML.
    unanswered : tuple of str
        Questions without something executed, which no page lists.
    changes : Changes
        Numbers that differ from the build before, and pages that are gone.
    """

    folder: Path
    pages: int
    unanswered: tuple[str, ...]
    changes: Changes

    def __repr__(self) -> str:
        """One line: how many pages are where."""
        return f"<Site: {plural(self.pages, 'page')} in {self.folder}>"

    def lines(self) -> list[str]:
        """The landing page, then the questions that are not listed."""
        count = plural(len(self.unanswered), "question")
        head = [f"{self.folder / 'index.html'}: {plural(self.pages, 'page')}"]
        head += [f"{count} without something executed:", *self.unanswered]
        return [*head, *self.changes.lines()]


def build_site(folder: str | Path, only: Iterable[str] | None = None, films: bool = False) -> Site:
    """Write the site into a folder; it needs no server, and no page asks for anything elsewhere.

    Parameters
    ----------
    folder : str or Path
        Is made if it is not there; files of the site in it are written anew.
    only : iterable of str, optional
        Collectives to which it is cut, with one lecture, one machine and the pictures of one
        algorithm: to try it quickly.
    films : bool
        Whether films of algorithms and lectures are rendered at 720p, too, which takes a minute
        each; a build that was ended goes on where it stopped, and films that are there stay.

    Returns
    -------
    Site
        What was written, and which questions have no page.

    Raises
    ------
    BadInput
        For an unknown collective, or a folder that cannot be written.
    NotInstalled
        Where the Python of the editor is not there.
    """
    target = path_of(folder)
    names = {row.collective for row in ROWS}
    course, machines = list(lectures().values()), [each["name"] for each in list_machines()]
    if only is not None:
        names = {find_collective(name).name for name in only}
        course, machines = course[:1], [MACHINE]
    (target / "players").mkdir(parents=True, exist_ok=True)
    shutil.rmtree(workshop(target) / "drafts", ignore_errors=True)
    kept = KeptFiles(target)
    written = played_rows(kept, names)
    write_script(target)
    shutil.copy(Path(__file__).with_name("site_tables.js"), target)
    for played in counted(written[: 1 if only else None], "writing pictures"):
        write_takeaways(kept, played)
    _write_films(kept, written, course, films)
    files = {(each.row.collective, each.row.algorithm): each.file for each in written}
    about = f"{sorted(files.values())} {machines}"
    kept.write_sheets("lookup", about, lambda: write_lookup(target, written, machines))
    labs = write_labs(kept, 1 if only else None)
    write_papers(kept, course, 1 if only else None)
    texts = f"{about} {labs} {[vars(lecture) for lecture in course]}"
    kept.write_sheets("learn", texts, lambda: write_learn(target, course, labs))
    unanswered = kept.write_sheets("work", about, lambda: write_work(target, files))
    write_documents(target)
    kept.write_sheets("reference", "", lambda: write_reference(target))
    changes = make_pages(target)
    _write_first(target)
    kept.finish()
    return Site(target, len(list(target.rglob("*.html"))), tuple(unanswered), changes)


def _write_films(
    kept: KeptFiles, written: Sequence[Played], course: Sequence[Lecture], is_asked: bool
) -> None:
    """The film of each algorithm and lecture, where it is asked for."""
    films = {
        f"players/{Path(each.file).stem}.mp4": f"video {each.row.promise.title} "
        f"{each.row.algorithm} -n {each.ranks}"
        for each in written
    } | {f"learn/{lecture.name}.mp4": f"lecture {lecture.name}" for lecture in course}
    for file, words in counted(films.items(), "rendering films", len(films), "films"):
        write_film(kept, file, words, is_asked)


def _write_first(folder: Path) -> None:
    """The landing page and the player in it, whose code can be edited."""
    row, recording = find_row("all_reduce", "ring"), record("all_reduce", "ring", ranks=RANKS)
    editing = editing_of_row(row, row.setting(RANKS))
    write_page(usual_board(recording), folder / FIRST, editing=editing)
    pictures = "".join(
        f'<a href="{page}"><figure><img src="docs/{file}" alt="Picture: {shows}" loading="lazy">'
        f"<figcaption>{shows}</figcaption></figure></a>"
        for file, shows, page in settings()["pictures"]
        if (folder / page).is_file()
    )
    write_landing(folder, f"{FIRST}#embed&edit", pictures)
