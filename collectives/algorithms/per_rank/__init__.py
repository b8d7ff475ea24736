"""The textbook from one rank: programs that together make the same steps as those for all ranks."""
