"""Who hangs: what files say of each rank's calls, and the judge of it."""
