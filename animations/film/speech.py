"""The voice of a film: its sentences by an engine that is installed, or by a file for each."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import wave
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import numpy.typing as npt

from animations.drawing.render.sound import RATE, sound_samples, sound_seconds
from animations.phrases import UNITS, phrases
from animations.score.score import Score
from animations.score.voice import most_seconds, sentences, voiced, with_voice
from collectives.errors import BadInput, NotInstalled
from collectives.words import plural, quoted

AUTO = "auto"
SOUNDS = (".wav", ".flac", ".mp3", ".ogg", ".m4a")  # of a folder with a file for each sentence
BEFORE, AFTER = 0.15, 0.45  # seconds of silence around a sentence
KEPT = 0.6  # of the time a sentence has without a voice, that it has with one
LOUD, PEAK = 0.1, 0.9  # of full scale: of each sentence on the average, and at most
LONGEST = 120.0  # seconds that an engine may take for a sentence, and that one may last
WORDS_A_MINUTE = 170  # an engine pauses more than a speaker
MODEL = "PIPER_MODEL"  # the environment's variable that names the voice of piper
INSTALL = "apt install espeak-ng"
WRITTEN = re.compile(rf"([\d.,]*\d) ({UNITS})(/s)?(?![\w/])|(?<=\d) ?([/–→]) ?(?=\d)", re.ASCII)

Samples = npt.NDArray[np.float32]


@dataclass(frozen=True)
class Speaker:
    """A program that speaks. command: its words for a language and a file, the text on stdin."""

    name: str
    command: Callable[[str, str], list[str]]

    def speak(self, text: str, language: str, file: Path) -> None:
        """Write a sentence to a .wav file; raises BadInput where the program fails."""
        command = self.command(language, str(file))
        done = subprocess.run(
            command, input=text, text=True, capture_output=True, timeout=LONGEST, check=False
        )
        if done.returncode or not file.is_file():
            why = (done.stderr.strip().splitlines() or [f"status {done.returncode}"])[-1]
            raise BadInput(f"--voice auto: {self.name} cannot speak: {why}; try: --voice FILE.wav")


def _piper(language: str, file: str) -> list[str]:
    return ["piper", "--model", os.environ[MODEL], "--output_file", file]


def _espeak(language: str, file: str) -> list[str]:
    return ["espeak-ng", "-v", language, "-s", str(WORDS_A_MINUTE), "-w", file, "--stdin"]


def engine() -> Speaker:
    """The program that speaks: piper where PIPER_MODEL names its voice, else espeak-ng.

    Raises NotInstalled where neither is there.
    """
    if os.environ.get(MODEL) and shutil.which("piper"):
        return Speaker("piper", _piper)
    if shutil.which("espeak-ng"):
        return Speaker("espeak-ng", _espeak)
    model = f" (or piper, with {MODEL}=VOICE.onnx)"
    raise NotInstalled(f"--voice auto needs espeak-ng{model}", command=INSTALL)


@contextmanager
def spoken_score(score: Score, voice: str) -> Iterator[Score]:
    """The score in the time of a voice, whose sound is there within the context.

    voice: "auto", a folder with a sound for each sentence, by name in order, or one sound. Raises
    BadInput for what is none, and NotInstalled where nothing is there that could speak.
    """
    if voice != AUTO and not os.path.isdir(voice):  # nor a name too long for one
        yield with_voice(score, voice, sound_seconds(voice, most_seconds(score)))
        return
    with TemporaryDirectory() as folder:
        if voice == AUTO:
            files = _by_engine([text for text, _ in sentences(score)], score.language, Path(folder))
        else:
            files = sounds_in(Path(voice), len(sentences(score)))
        yield in_time(score, files, Path(folder) / "voice.wav")


def _by_engine(texts: Sequence[str], language: str, folder: Path) -> list[Path]:
    """A sound for each sentence."""
    speaks, files = engine(), [folder / f"{number:03}.wav" for number, _ in enumerate(texts, 1)]
    for file, text in zip(files, texts, strict=True):
        speaks.speak(aloud(text, language), language, file)
    return files


def aloud(text: str, language: str) -> str:
    """A sentence as it is spoken: units, and signs between numbers, are words.

    >>> aloud("Ranks 0–3 take 1 µs, or 64 MiB at 50 GB/s.", "en")
    'Ranks 0 to 3 take 1 microsecond, or 64 mebibytes at 50 gigabytes per second.'
    """
    say = phrases(language)

    def in_words(match: re.Match[str]) -> str:
        number, unit, rate, sign = match.groups()
        if sign:
            return f" {say(f'aloud.{sign}')} "
        return f"{number} {say.nouns[unit][number != '1']}{say('aloud.per_second') if rate else ''}"

    return WRITTEN.sub(in_words, text)


def sounds_in(folder: Path, number: int) -> list[Path]:
    """The sounds in a folder, in the order of their names; raises BadInput unless so many."""
    try:
        files = sorted(file for file in folder.iterdir() if file.suffix.lower() in SOUNDS)
    except OSError as problem:
        why = f"cannot be read: {problem.strerror}"
        raise BadInput(f"--voice {quoted(str(folder))}: {why}; try: --voice {AUTO}") from None
    if len(files) != number:
        has = f"{plural(len(files), 'sound')}, but the film has {plural(number, 'sentence')}"
        near = "a file for each in the script that --transcript writes, as 001.wav"
        raise BadInput(f"--voice {quoted(str(folder))}: has {has}; try: {near}")
    return files


def in_time(score: Score, files: Sequence[Path], target: Path) -> Score:
    """The score whose sentences last as long as their sounds, which are joined in one file.

    All are made equally loud. A sentence keeps most of the time it has without a voice, so that
    what moves meanwhile can be seen.
    """
    parts, starts, at = list[Samples](), list[float](), 0.0
    for file, (_, lasts) in zip(files, sentences(score), strict=True):
        sound = even(sound_samples(file, LONGEST))
        whole = max(BEFORE + len(sound) / RATE + AFTER, KEPT * lasts)
        room = np.zeros(round(whole * RATE), np.float32)
        room[round(BEFORE * RATE) :][: len(sound)] = sound
        parts.append(room)
        starts.append(at)
        at += len(room) / RATE
    _write(np.concatenate(parts), target)
    return replace(voiced(score, starts, at), voice=str(target))


def even(sound: Samples) -> Samples:
    """A sound as loud on the average as all others, and never too loud."""
    loud = float(np.sqrt(np.mean(np.square(sound)))) if len(sound) else 0.0
    gain = min(LOUD / loud, PEAK / float(np.abs(sound).max())) if loud else 1.0
    return (gain * sound).astype(np.float32)


def _write(sound: Samples, target: Path) -> None:
    """Write a .wav file."""
    with wave.open(str(target), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(RATE)
        file.writeframes((sound * 32767).astype("<i2").tobytes())
