"""Shapes as pixels, films, sound and subtitles: cairo, Manim's mobjects, fonts of matplotlib."""
