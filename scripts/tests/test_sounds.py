"""The sounds of the sample theme: a second of a tone for each role, as scripts/sounds.py makes them."""

import io
import json
import wave

import pytest

import sounds
from conftest import ROOT

THEMES = [ROOT / "content/night-theme/1.0.0", ROOT / "examples/Hangman/Server/content/night-theme/1.0.0"]


@pytest.mark.parametrize("theme", THEMES)
def test_the_theme_has_the_sounds_that_the_script_makes(theme):
    named = json.loads((theme / "theme.json").read_text())["sounds"]
    assert named == [{"role": role, "file": f"{role}.wav", "seconds": sounds.SECONDS} for role in sounds.SOUNDS]
    for role in sounds.SOUNDS:
        assert (theme / f"{role}.wav").read_bytes() == sounds.sound(role)


@pytest.mark.parametrize("role", sounds.SOUNDS)
def test_a_sound_is_a_second_of_a_tone_that_begins_and_ends_in_silence(role):
    with wave.open(io.BytesIO(sounds.sound(role))) as wav:
        assert (wav.getnchannels(), wav.getsampwidth(), wav.getframerate()) == (1, 1, 8_000)
        assert wav.getnframes() == wav.getframerate()
        heard = [sample - 128 for sample in wav.readframes(wav.getnframes())]
    assert heard[0] == heard[-1] == 0
    assert 60 < max(heard) <= 127 and -128 <= min(heard) < -60
    # No step that is heard as a click.
    assert max(abs(after - before) for before, after in zip(heard, heard[1:])) < 60
