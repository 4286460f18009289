"""Widths of words, shortening and wrapping."""

from __future__ import annotations

from itertools import pairwise

import pytest

from bakeoff.figures.geometry.axis import Axis, ticks
from bakeoff.figures.geometry.metrics import is_exact, shorten, text_width, wrap


def test_widths_are_helveticas() -> None:
    """Adobe Core 14 AFM, Helvetica and Helvetica-Bold: H 722, e 556, l 222 (278), space 278, % 889, 1 556."""
    assert text_width("Hell", 10) == pytest.approx(7.22 + 5.56 + 2 * 2.22)
    assert text_width("Hell", 10, bold=True) == pytest.approx(7.22 + 5.56 + 2 * 2.78)
    assert text_width("1 %", 1000) == pytest.approx(556 + 278 + 889)


def test_widths_agree_with_the_afm_files_that_matplotlib_ships() -> None:
    """The same numbers from another copy of Adobe's files (quotes differ: there they are the curly ones)."""
    from pathlib import Path

    import matplotlib

    folder = Path(matplotlib.get_data_path()) / "fonts" / "afm"
    for file, bold in (("phvr8a.afm", False), ("phvb8a.afm", True)):
        lines = [line.split() for line in (folder / file).read_text("latin-1").split("\n") if line.startswith("C ")]
        widths = {int(parts[1]): float(parts[4]) for parts in lines}
        for code in set(range(32, 127)) - {ord("'"), ord("`")}:
            assert text_width(chr(code), 1000, bold) == widths[code], chr(code)


def test_accented_letters_of_latin_1_are_as_wide_as_in_the_afm_files() -> None:
    """So an SVG fits them to the layout in any font: "Größte Änderung" ran into the title beside it."""
    import unicodedata
    from pathlib import Path

    import matplotlib

    folder = Path(matplotlib.get_data_path()) / "fonts" / "afm"
    marks = {"ACUTE": "acute", "GRAVE": "grave", "CIRCUMFLEX": "circumflex", "DIAERESIS": "dieresis"}
    marks |= {"TILDE": "tilde", "RING ABOVE": "ring", "CEDILLA": "cedilla"}
    others = {"ß": "germandbls", "ø": "oslash", "Ø": "Oslash", "æ": "ae", "Æ": "AE"}
    for file, bold in (("phvr8a.afm", False), ("phvb8a.afm", True)):
        lines = [line.split() for line in (folder / file).read_text("latin-1").split("\n") if line.startswith("C ")]
        widths = {parts[7]: float(parts[4]) for parts in lines}
        found = 0
        for character in map(chr, range(0xC0, 0x100)):
            base, _, mark = unicodedata.name(character).partition(" WITH ")
            glyph = others.get(character)
            if glyph is None and mark in marks:
                letter = base[-1].lower() if "SMALL" in base else base[-1]
                glyph = f"{letter}{marks[mark]}"
            if glyph in widths:
                assert text_width(character, 1000, bold) == widths[glyph], character
                assert is_exact(character), character
                found += 1
        assert found == 58
    assert is_exact("Größte Änderung")
    assert not is_exact("ž")


def test_unknown_characters_get_generous_room() -> None:
    assert text_width("é", 1000) == text_width("e", 1000)
    assert text_width("算", 1000) == 1000
    assert text_width("🚀", 1000) >= 1000
    assert text_width("e\u0301", 1000) == text_width("e", 1000)
    assert is_exact("C4.5+m – α") is True
    assert is_exact("算") is False


def test_shortening_keeps_beginning_and_end() -> None:
    name = "gradient boosting with a very long name, version 2"
    short = shorten(name, 80, 7)
    assert short.startswith("grad")
    assert short.endswith("ion 2")
    assert "…" in short
    assert text_width(short, 7) <= 80.01
    assert shorten(name, text_width(name, 7), 7) == name
    assert shorten("abc", 0.1, 7) == "a…"


def test_wrapping_breaks_at_spaces_only() -> None:
    text = "one two three four five six seven α\u00a0=\u00a00.05."
    lines = wrap(text, 60, 6.5)
    assert " ".join(lines) == text
    assert all(text_width(line, 6.5) <= 60 for line in lines)
    assert text_width(wrap("x" * 100, 60, 6.5)[0], 6.5) <= 60.01


@pytest.mark.parametrize("high", [2, 3, 9, 24, 60, 200, 1000])
def test_ticks_are_round_begin_at_one_and_have_room(high: int) -> None:
    for length in (60.0, 100.0, 220.0, 500.0):
        axis = Axis(low=1.0, high=float(high), left=0.0, right=length)
        major, minor, decimals = ticks(axis)
        places = [axis.x(value) for value in major]
        widest = text_width(str(high), 6.5)
        assert major[0] == 1
        assert decimals == 0
        assert all(value == int(value) and value <= high for value in major)
        assert all(b - a > widest for a, b in pairwise(places))
        assert not set(minor) & set(major)
