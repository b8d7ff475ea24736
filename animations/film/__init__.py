"""A score as a film: its parts, drawn and encoded, a GIF, slides, a transcript."""
