"""The score of a film: what is shown when, and what is said; it knows nothing about drawing."""
