"""Widths of texts in pictures, and how they are shortened."""

import pytest

from turnwise.core.svg_text import fitted, full_hint, text_width

SIGNS = "".join(map(chr, range(33, 127))) + "…—·→←↑↓±≤≥♥♠♦♣★☆■□●○▲▼½¼°äéßÆœ€✓✗♔"
ARIAL = {"@": (1.015, 0.975), "W": (0.944, 0.944), "%": (0.889, 0.889), "m": (0.833, 0.889), "…": (1.0, 1.0)}
"""Widths of the widest signs in Arial, regular and bold; most others are wider in DejaVu Sans."""
WORDS = ("Archer", "WIZARD", "mmwwMW", "100%", "1,234", "illicit", "Dragon (3/4)", "…")


@pytest.mark.parametrize("bold", [False, True])
@pytest.mark.parametrize("word", WORDS)
def test_widths_are_those_of_a_wide_font_or_a_little_more(word, bold):
    pytest.importorskip("matplotlib")
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import TextToPath

    font = FontProperties(family="DejaVu Sans", weight="bold" if bold else "normal", size=100)
    real, _, _ = TextToPath().get_text_width_height_descent(word, font, ismath=False)
    assert real * 0.98 <= text_width(word, 100, bold=bold) <= real * 1.3


@pytest.mark.parametrize("bold", [False, True])
def test_no_sign_is_wider_than_its_estimate(bold):
    pytest.importorskip("matplotlib")
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import TextToPath

    font = FontProperties(family="DejaVu Sans", weight="bold" if bold else "normal", size=100)
    real = {sign: TextToPath().get_text_width_height_descent(sign * 20, font, ismath=False)[0] / 2000 for sign in SIGNS}
    for sign, (regular, heavy) in ARIAL.items():
        real[sign] = max(real[sign], heavy if bold else regular)
    short = {sign: width for sign, width in real.items() if width > text_width(sign, 1, bold=bold)}
    assert not short


def test_letters_of_two_columns_and_marks_above_letters():
    assert text_width("騎", 10) > text_width("a", 10)
    assert text_width("e\u0301", 10) == text_width("e", 10)


def test_the_first_size_in_which_a_text_fits():
    assert fitted("abc", (20, 10), text_width("abc", 20)) == ("abc", 20)
    assert fitted("abc", (20, 10), text_width("abc", 20) - 1) == ("abc", 10)
    short, size = fitted("abcdefghij klmn", (20, 10), 62)
    assert size == 10
    assert short == "abcdefgh…"
    assert text_width(short, 10) <= 62 < text_width("abcdefghi…", 10)
    assert fitted("abc def", (10,), text_width("abc …", 10))[0] == "abc…"
    assert fitted("abc", (10,), 0) == ("…", 10)
    assert fitted("", (10,), 0) == ("", 10)


def test_a_hint_begins_with_what_is_not_shown():
    assert full_hint("Archer", "Archer") == ""
    assert full_hint("Archer", "Ar…") == "Archer"
    assert full_hint("Archer", "Ar…", "3 hp") == "Archer: 3 hp"
    assert full_hint("Archer", "Ar…", "Archer, 3 hp") == "Archer, 3 hp"
