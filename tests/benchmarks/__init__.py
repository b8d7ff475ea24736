"""Speed, measured against peers and limits in the same run; nothing here asserts a time."""
