"""What MicroPython runs in a page beside the library's own files: stand-ins for what it lacks."""
