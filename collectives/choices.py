"""The names that options and arguments choose from, each list once; cheap to import."""

import os

CLOCKS = {  # how modeled time runs
    "lockstep": "a step's messages start at once, and end before the next step begins",
    "dataflow": "no barriers; a port takes one message after the other",
}
THEMES = ("dark", "light")
QUALITIES = {  # letter: width, height in pixels, frames per second; Manim's own
    "l": (854, 480, 15),
    "m": (1280, 720, 30),
    "h": (1920, 1080, 60),
    "p": (2560, 1440, 60),
    "k": (3840, 2160, 60),
}
STAGES = ("cube",)  # beside that of an algorithm's structure
RENDERERS = ("cairo", "manim")  # of films, the usual one first
SHEETS = ("lecture", "slide", "4:3", "tall")
FILM_SHEETS = ("film", "slide", "4:3", "tall", "lecture")  # the usual one first
PROGRAMS = ("mpi4py", "torch")  # that an algorithm is printed for
LAUNCHERS = ("mpirun", "torchrun", "srun")
BACKENDS = {  # with their launchers, the usual one first
    "mpi": ("mpirun", "srun"),
    "gloo": ("torchrun", "srun"),
    "nccl": ("torchrun", "srun"),
}
PHRASES = os.path.join(os.path.dirname(os.path.dirname(__file__)), "animations", "phrases")
LANGUAGES = tuple(  # pathlib would take longer to import than all else here
    sorted(
        name
        for name in (os.listdir(PHRASES) if os.path.isdir(PHRASES) else ())
        if os.path.exists(os.path.join(PHRASES, name, "language.toml"))
    )
)
