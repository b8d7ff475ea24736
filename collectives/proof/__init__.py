"""Proofs that a schedule keeps its collective's promise, and what is wrong where it does not."""
