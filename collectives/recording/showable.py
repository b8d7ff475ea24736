"""How a recording is shown and kept: as a page, a film, a figure, a file, in a notebook."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from collectives.cost.machines.topology import Topology
    from collectives.notebook_display import Picture
    from collectives.recording.recording import Recording


class Showable:
    """What every recording can be turned into."""

    @property
    def _whole(self) -> Recording:
        return cast("Recording", self)

    def page(
        self, path: str | Path, *, topology: str | Topology | None = None, theme: str | None = None
    ) -> Path:
        """Write an interactive page: one HTML file that needs nothing else.

        Parameters
        ----------
        path : str or Path
            Ends in .html.
        topology : str or Topology, optional
            The machine on which time is counted: a name or a machine; by default an hgx-h100, or
            a cluster beyond 8 ranks.
        theme : str, optional
            Colors: "dark" or "light", by default as the reader's system; the page can change them.

        Returns
        -------
        Path
            The file.

        Raises
        ------
        BadInput
            For values that cannot be used, and for more ranks or slots than can be drawn.

        Warns
        -----
        UserWarning
            Where the promise is not kept: it is drawn until that is seen, and marked as wrong.
        """
        from collectives.notebook_display import page

        return page(self._whole, path, topology, theme)

    def film(
        self,
        path: str | Path,
        *,
        quality: str = "m",
        topology: str | Topology | None = None,
        theme: str = "dark",
    ) -> Path:
        """Render a film with subtitles; needs Manim.

        Parameters
        ----------
        path : str or Path
            Ends in .mp4 (subtitles go beside it), .gif, or .png for the result alone.
        quality : str
            "l" (480p), "m" (720p), "h" (1080p), "p" (1440p) or "k" (2160p).
        topology : str or Topology, optional
            The machine on which time is counted: a name or a machine; by default an hgx-h100, or
            a cluster beyond 8 ranks.
        theme : str
            "dark" or "light".

        Returns
        -------
        Path
            The file.

        Raises
        ------
        BadInput
            For values that cannot be used, and for more ranks or slots than can be drawn.
        NotInstalled
            Without Manim.

        Warns
        -----
        UserWarning
            Where the promise is not kept: it is drawn until that is seen, and marked as wrong.
        """
        from collectives.notebook_display import film

        return film(self._whole, path, quality, topology, theme)

    def figure(self, step: int | None = None, *, theme: str = "dark") -> Picture:
        """Draw one moment; needs matplotlib.

        Parameters
        ----------
        step : int, optional
            How many steps have been executed, 0 for the start; by default all of them.
        theme : str
            As in `page`.

        Returns
        -------
        Picture
            Shown in a notebook; `save(path)` writes it as .svg, .png or .pdf.

        Raises
        ------
        BadInput
            For values that cannot be used, and for more ranks or slots than can be drawn.
        NotInstalled
            Without matplotlib.

        Warns
        -----
        UserWarning
            Where the promise is not kept: it is drawn until that is seen, and marked as wrong.
        """
        from collectives.notebook_display import figure

        return figure(self._whole, step, theme)

    def save(self, path: str | Path) -> None:
        """Write the recording as JSON; see `collectives.save`.

        Parameters
        ----------
        path : str or Path
            The file.

        Raises
        ------
        BadInput
            Where it cannot be written.
        """
        from collectives.recording.saved import save

        save(self._whole, path)

    def _repr_html_(self) -> str:
        from collectives.notebook_display import recording_html

        return recording_html(self._whole)
