"""Files that are no voice, and what a message about each must say; `--voice` is given the name."""

import os
import struct


def wav(rate=8000, channels=1, bits=16, tag=1, block=None, content=bytes(16_000), size=None):
    """A .wav file whose header says what it is told to."""
    block = (channels * bits // 8 if block is None else block) % 2**16
    size = len(content) if size is None else size
    form = struct.pack("<HHIIHH", tag, channels, rate, rate * block % 2**32, block, bits)
    head = b"RIFF" + struct.pack("<I", 36 + len(content)) + b"WAVEfmt " + struct.pack("<I", 16)
    return head + form + b"data" + struct.pack("<I", size) + content


PLAYLIST = b"#EXTM3U\n#EXT-X-TARGETDURATION:9\n#EXTINF:9,\n{}\n#EXT-X-ENDLIST\n"
VOICES = [  # the name, its content, needles
    ("text.wav", b"no sound at all", ["text.wav"]),
    ("empty.wav", b"", ["empty.wav"]),
    ("zeros.wav", bytes(10_000), ["zeros.wav"]),
    ("header.wav", wav()[:30], ["header.wav"]),
    ("silent.wav", wav(content=b""), ["no sound in it"]),
    ("rate-0.wav", wav(rate=0), ["rate-0.wav"]),
    ("rate-1.wav", wav(rate=1), ["1 samples a second", "4000 to 384000"]),
    ("rate-most.wav", wav(rate=2**32 - 1), ["rate-most.wav"]),
    ("channels-0.wav", wav(channels=0), ["channels-0.wav"]),
    ("channels-9.wav", wav(channels=9), ["9 channels", "1 to 8"]),
    ("channels-most.wav", wav(channels=65_535), ["channels-most.wav"]),
    ("bits-0.wav", wav(bits=0), ["bits-0.wav"]),
    ("bits-most.wav", wav(bits=65_535), ["bits-most.wav"]),
    ("unknown.wav", wav(tag=0x7FFF), ["unknown.wav"]),
    ("block-0.wav", wav(block=0, content=b""), ["block-0.wav"]),
    ("hours.wav", wav(rate=4000, bits=8, content=bytes(4000 * 3600)), ["is too long", "at most"]),
    ("list.m3u8", PLAYLIST.replace(b"{}", b"http://127.0.0.1:9/x.ts"), ["list.m3u8"]),
    ("list.wav", PLAYLIST.replace(b"{}", b"file:///etc/passwd"), ["list.wav"]),
    ("concat.wav", b"ffconcat version 1.0\nfile 'voice.wav'\n", ["concat.wav"]),
    (
        "session.wav",
        b"v=0\no=- 0 0 IN IP4 127.0.0.1\nc=IN IP4 127.0.0.1\nm=audio 9 RTP/AVP 0\n",
        [],
    ),
]
TIMES = [  # what stands beside voice.wav, and a needle
    (".json", b"[" * 100_000, "has no times"),
    (".json", b"[1" + b"0" * 400 + b"]", "has no times"),
    (".json", b"[1e999]", "has no times"),
    (".json", b"[0, 36000]", "is too long"),
    (".json", b"\xff\xfe", "is not text"),
    (".json", b"[" + b" " * (17 << 20) + b"]", "the limit is"),
    (".srt", b"99999:00:00,000 --> nothing", "has no times"),
    (".srt", b"9" * 100_000 + b":00:00,000 -->\n", "has no times"),
    (".srt", b"90:00:00,000 --> 90:00:01,000\n", "is too long"),
]
NAMES = [  # what is no file, and needles
    ("pipe.wav", ["not a regular file"]),
    ("/dev/urandom", ["not a regular file"]),
    ("/dev/zero", ["not a regular file"]),
    ("/proc/self/mem", ["/proc/self/mem"]),
    (".", ["sound", "sentences"]),
    ("..", ["sound", "sentences"]),
    ("/", ["sound", "sentences"]),
    ("nowhere.wav", ["No such file"]),
    ("http://127.0.0.1:9/voice.wav", ["No such file"]),
    ("file:voice.wav", ["No such file"]),
    ("concat:voice.wav|voice.wav", ["No such file"]),
    ("data:audio/wav;base64,UklGRg==", ["No such file"]),
    ("pipe:0", ["No such file"]),
    ("LETTERS", ["File name too long"]),
]


def make_voices(folder):
    """Make all files of this table, a voice that is one, and a pipe."""
    for name, content, *_ in VOICES:
        (folder / name).write_bytes(content)
    (folder / "voice.wav").write_bytes(wav())
    os.mkfifo(folder / "pipe.wav")
