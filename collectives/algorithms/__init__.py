"""The textbook: each algorithm is a generator of steps, and nothing else."""
