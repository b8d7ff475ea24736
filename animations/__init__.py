"""Draws recordings: storyboard, Manim stage and films, page."""
