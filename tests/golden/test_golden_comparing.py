"""What counts as the same text, and how a change is told."""

from __future__ import annotations

import pytest

from golden.changes import differing, summary
from golden.comparing import FILES, environment, recorded, settled

SVG = '<svg width="80mm">\n<text x="3.14" y="10">p = 0.0123</text>\n<path d="M1.5 2L3.25 4Z"/>\n</svg>\n'
TIKZ = "\\begin{tikzpicture}\n  \\node at (13.73,103.7) {1.5};\n\\end{tikzpicture}\n"
TEXT = "A is better than B: p = 0.0123456789, W = -3.5e-07 (12 problems).\n"


def same(old: str, new: str, exact: bool = False) -> bool:
    return differing({"a/plain.md": old}, {"a/plain.md": new}, exact) == {}


def test_equal_texts_are_the_same_by_both() -> None:
    assert same(SVG, SVG)
    assert same(SVG, SVG, exact=True)


@pytest.mark.parametrize(
    ("old", "new"), [("0.0123456789", "0.012345678900012345"), ("-3.5e-07", "-3.5000000000035e-07"), ("12 p", "12.0 p")]
)
def test_the_tolerant_one_accepts_the_last_digits(old: str, new: str) -> None:
    assert same(TEXT, TEXT.replace(old, new))
    assert not same(TEXT, TEXT.replace(old, new), exact=True)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("0.0123456789", "0.0123456912"),
        ("-3.5e-07", "3.5e-07"),
        ("12 problems", "13 problems"),
        ("better", "worse"),
        (" (", "  ("),
        (".\n", "."),
        (").\n", ").\n\n"),
        ("p = 0.0123456789, ", ""),
    ],
)
def test_the_tolerant_one_refuses_all_else(old: str, new: str) -> None:
    assert not same(TEXT, TEXT.replace(old, new))


def test_noise_around_zero_is_no_number() -> None:
    assert same("mean 1.1e-16", "mean 0.0")
    assert not same("p 1e-12", "p 2e-12")


@pytest.mark.parametrize(("old", "new"), [("3.25", "3.26"), ('x="3.14"', 'x="3.13"')])
def test_a_coordinate_may_be_off_by_its_last_decimal(old: str, new: str) -> None:
    assert same(SVG, SVG.replace(old, new))
    assert not same(SVG, SVG.replace(old, new), exact=True)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("3.25", "3.35"),
        ("0.0123", "0.0124"),
        ("L3.25 4Z", "L3.25 4L5 6Z"),
        ('<path d="M1.5 2L3.25 4Z"/>\n', ""),
        ("<text", "<tspan"),
        ('y="10"', 'dy="10"'),
        ("</svg>", "<g/></svg>"),
    ],
)
def test_the_tolerant_one_refuses_another_structure_of_a_drawing(old: str, new: str) -> None:
    assert not same(SVG, SVG.replace(old, new))


def test_of_tikz_coordinates_alone_are_lax() -> None:
    assert same(TIKZ, TIKZ.replace("103.7", "103.71"))
    assert not same(TIKZ, TIKZ.replace("{1.5}", "{1.51}"))


def test_a_coordinate_is_lax_inside_of_a_drawing_alone() -> None:
    assert not same(f"{SVG}<p>(3.14)</p>", f"{SVG}<p>(3.15)</p>")
    assert not same('<p style="width: 3.14mm">', '<p style="width: 3.15mm">')


@pytest.mark.parametrize("place", range(0, len(SVG), 7))
def test_the_exact_one_refuses_any_byte(place: int) -> None:
    assert not same(SVG, SVG[:place] + "~" + SVG[place + 1 :], exact=True)
    assert not same(SVG, SVG[:place] + SVG[place + 1 :], exact=True)


def test_accepted_numbers_are_not_told_beside_a_change() -> None:
    old, new = f"{TEXT}Few problems.\n", f"{TEXT.replace('0.0123456789', '0.01234567890001')}Many problems.\n"
    assert settled(old, new) == f"{TEXT}Many problems.\n"


WORDS = "The smallest p-value that so few problems can have is 0.03, more than the level."
FORMATS = {
    "a/plain.80.txt": "A is better.\n\n! " + WORDS.replace(" can", "\n  can") + "\n",
    "a/plain.md": f"# A\n\n- **few**: {WORDS}\n",
    "a/plain.html": f'<li><b class="term">few</b> <span>{WORDS}</span></li>\n',
    "a/plain.json": f'{{"text": "{WORDS}", "n": 5}}\n',
    "a/plain.tex": "\\item " + WORDS.replace(" that", "\n% that") + "\n",
    "b/plain.md": f"- **few**: {WORDS}\n",
}


def test_one_word_is_one_change() -> None:
    """Whichever way the lines are broken."""
    changed = {name: text.replace("so few problems", "so very few problems") for name, text in FORMATS.items()}
    changed["a/plain.80.txt"] = f"A is better.\n\n! {WORDS.replace('few', 'very few')}\n"
    assert summary(differing(FORMATS, changed, exact=True)).splitlines() == [
        "1 change in 6 files of tests/golden/files",
        "",
        "- - **few**: The smallest p-value that so few problems can have is 0.03, more than the level.",
        "+ - **few**: The smallest p-value that so very few problems can have is 0.03, more than the level.",
        "  6 places: a/plain (md, 80.txt, html, json, tex), b/plain (md)",
    ]


def test_changes_of_two_sentences_are_two() -> None:
    old = {"a.md": "One rank is better.\n\nAnother rank was worse.\n"}
    told = summary(differing(old, {"a.md": old["a.md"].replace("rank", "place")}, exact=True))
    assert told.startswith("2 changes in 1 file")
    assert {"- One rank is better.", "+ Another place was worse."} <= set(told.splitlines())


def test_a_change_of_spaces_is_told() -> None:
    told = summary(differing({"a.md": "x  y\n"}, {"a.md": "x y\n"}, exact=True))
    assert told.splitlines()[2:4] == ["- 'x  y\\n'", "+ 'x y\\n'"]


def test_files_that_come_and_go_are_named() -> None:
    told = summary(differing({"a/plain.md": "x"}, {"b/plain.md": "y"}, exact=True))
    assert "1 not recorded: b/plain (md)" in told
    assert "1 no longer written: a/plain (md)" in told


def test_many_changes_are_cut_short() -> None:
    old = {"a.csv": "".join(f"row{i},{i}.5\n" for i in range(50))}
    told = summary(differing(old, {"a.csv": old["a.csv"].replace(".5", ".25")}, exact=True))
    assert "… and 30 more changes" in told


def test_the_environment_is_the_same_when_asked_twice() -> None:
    assert environment() == environment()


def test_files_have_the_line_ends_that_were_written() -> None:
    """What git's or an editor's conversion of line ends would break."""
    assert not [path for path in FILES.rglob("*") if path.is_file() and b"\r" in path.read_bytes()]
    assert recorded()
