"""Recordings as files, and back."""
