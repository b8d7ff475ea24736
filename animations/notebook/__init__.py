"""Widgets for notebooks: the stepper and the model of a training step."""
