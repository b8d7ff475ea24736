"""Schedules beside one another: which is first on a machine, why, and at which sizes another is."""
