"""Schedules in other people's file formats, read and written."""
