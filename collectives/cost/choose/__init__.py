"""What is best: closed forms, crossovers, chunks, algorithms, and the reasons in words."""
