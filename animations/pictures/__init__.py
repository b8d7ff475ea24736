"""What is shown at a moment: a step, a clock, a comparison, a training step, a card, a page."""
