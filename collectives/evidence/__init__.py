"""What others measured and claim, each beside what is computed here."""
