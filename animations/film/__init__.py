"""The storyboard as a film, by Manim."""
