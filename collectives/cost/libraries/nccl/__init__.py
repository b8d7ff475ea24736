"""NCCL 2.30's tuner: what it expects of every algorithm and protocol, and what it picks."""
