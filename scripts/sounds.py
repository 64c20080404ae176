#!/usr/bin/env python3
"""Makes the sounds of the sample theme: for each role a second of a tone, as WAV with 8,000 samples a second, mono, each
sample one unsigned byte.

  scripts/sounds.py FOLDER...
"""

import io
import math
import pathlib
import sys
import wave

RATE = 8_000
SECONDS = 1
FADE = RATE // 20  # A tone that begins or ends at once clicks.
LOUDNESS = 90  # Of 127; players turn down what is louder than the rest.

# The notes of each role in Hz, which share the second: a fifth upwards, and a tritone downwards.
SOUNDS = {"correct": (440, 660), "wrong": (220, 156)}


def samples(notes):
    """The bytes of the sound; each note begins at zero and ends there."""
    length = RATE * SECONDS // len(notes)
    for note in notes:
        for at in range(length):
            fade = min(1, at / FADE, (length - 1 - at) / FADE)
            yield 128 + round(LOUDNESS * fade * math.sin(2 * math.pi * note * at / RATE))


def sound(role):
    """The bytes of the file."""
    file = io.BytesIO()
    with wave.open(file, "wb") as wav:
        wav.setnchannels(1)
        wav.setsampwidth(1)
        wav.setframerate(RATE)
        wav.writeframes(bytes(samples(SOUNDS[role])))
    return file.getvalue()


def main(folders):
    for folder in folders:
        for role in SOUNDS:
            (pathlib.Path(folder) / f"{role}.wav").write_bytes(sound(role))


if __name__ == "__main__":
    main(sys.argv[1:] or sys.exit(__doc__))
