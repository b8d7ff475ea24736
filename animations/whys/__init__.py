"""Why an algorithm works and what it costs: pictures and sentences, computed from a recording."""
