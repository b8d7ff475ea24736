"""The storyboard: a recording as cells, labels, counters and boxes, without any drawing library."""
