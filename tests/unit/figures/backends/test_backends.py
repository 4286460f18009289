"""The diagrams as files: well formed, escaped, the same every time, and without drawing libraries where possible."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections.abc import Sequence
from pathlib import Path

import pytest

from bakeoff.errors import MissingPackageError, ParameterError
from bakeoff.figures import SUFFIXES, Drawing, diagram, save, to_svg, to_tikz
from bakeoff.figures.backends import matplotlib as mpl
from bakeoff.figures.backends.tikz import escape
from bakeoff.figures.geometry.metrics import printable
from bakeoff.figures.geometry.primitives import Stroke, Text
from unit.figures.figures_cases import ALIKE, NAMES, by_distance, comparison, random_comparison, with_cd

SVG = "{http://www.w3.org/2000/svg}"
SEEDS = [*range(12), *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(12, 40))]


def odd_names(control: int | None = None, names: Sequence[str] = NAMES) -> Drawing:
    ranks = [1.0 + j / 2 for j in range(len(names))]
    return diagram(comparison(ranks, by_distance(ranks, 3.0), names=names, control=control))


@pytest.mark.parametrize("seed", SEEDS)
def test_svg_is_xml_that_says_what_the_drawing_says(seed: int) -> None:
    drawing = diagram(random_comparison(seed))
    root = ET.fromstring(to_svg(drawing).encode())
    assert root.get("role") == "img"
    assert root.get("viewBox") == f"0 0 {_number(drawing.width)} {_number(drawing.height)}"
    assert root.findtext(f"{SVG}title") == drawing.title
    assert root.findtext(f"{SVG}desc") == drawing.description
    identifiers = {root.find(f"{SVG}{tag}").get("id") for tag in ("title", "desc")}  # type: ignore[union-attr]
    assert identifiers == {root.get("aria-labelledby"), root.get("aria-describedby")}
    words = ["".join(text.itertext()) for text in root.iter(f"{SVG}text")]
    assert words == [item.hint + item.text for item in drawing.items if isinstance(item, Text)]
    assert len(list(root.iter(f"{SVG}line"))) == sum(isinstance(item, Stroke) for item in drawing.items)


def _number(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")


def test_svg_asks_for_nothing_from_outside() -> None:
    text = to_svg(odd_names())
    outside = re.sub(r'xmlns="http://www\.w3\.org/2000/svg"', "", text)
    for word in ("http", "url(", "<script", "<style", "style=", "@import", "href", "<image", "<!"):
        assert word not in outside


def test_ids_differ_between_diagrams_on_one_page() -> None:
    one, other = (to_svg(diagram(with_cd([1.0, 2.0, 3.0], cd))) for cd in (0.5, 1.5))
    assert not set(re.findall(r'id="(\w+)"', one)) & set(re.findall(r'id="(\w+)"', other))


@pytest.mark.parametrize("seed", SEEDS)
def test_tikz_is_balanced_and_has_every_name(seed: int) -> None:
    drawing = diagram(random_comparison(seed))
    source = to_tikz(drawing)
    code = "\n".join(line for line in source.split("\n") if not line.startswith("%"))
    bare = re.sub(r"\\[{}%$&#_\\]", "", code)
    assert bare.count("{") == bare.count("}")
    assert not set("%#&_^~") & set(re.sub(r"~=~", "", bare))  # nothing that TeX would obey
    assert code.count("\\begin{tikzpicture}") == code.count("\\end{tikzpicture}") == 1
    nodes = [line for line in source.split("\n") if line.startswith("  \\node")]
    assert len(nodes) == sum(isinstance(item, Text) for item in drawing.items)
    assert all(
        line.endswith(";") for line in source.split("\n") if line.startswith(("  \\draw", "  \\path", "  \\node"))
    )


@pytest.mark.parametrize(
    ("name", "latex"),
    [
        ("a_b", r"a\_b"),
        ("50%$&#", r"50\%\$\&\#"),
        ("\\x{y}", r"$\backslash$x$\{$y$\}$"),
        ("~^|", r"\textasciitilde{}\textasciicircum{}$|$"),
        ("<b>", "$<$b$>$"),
        ('"', r"{\ttfamily\char34}"),
        ("--", "-{}-{}"),
        ("α-Ω ο", r"$\alpha$-{}$\Omega$ ο"),
        ("λ=0.1", r"$\lambda$=0.1"),
        ("\ufffd[31m", "?[31m"),
        ("é–…", r"é--\ldots{}"),
    ],
)
def test_latex_escapes(name: str, latex: str) -> None:
    assert escape(name) == latex


def test_tikz_says_when_latex_needs_more_than_latin() -> None:
    assert "lualatex" in to_tikz(odd_names())
    assert "lualatex" not in to_tikz(diagram(comparison([1.0, 2.0], lambda a, b: ALIKE, names=["α", "é"])))


@pytest.mark.few(1)
@pytest.mark.parametrize("suffix", SUFFIXES)
def test_files_are_what_their_suffix_says_and_the_same_every_time(suffix: str, tmp_path: Path) -> None:
    magic = {".svg": b"<svg", ".png": b"\x89PNG\r\n\x1a\n", ".pdf": b"%PDF", ".tex": b"% needs \\usepackage{tikz}"}
    magic[".tikz"] = magic[".tex"]
    drawing = diagram(with_cd([1.0, 1.5, 3.0], 0.6, control=1))
    first, second = tmp_path / f"a{suffix}", tmp_path / f"b{suffix.upper()}"
    save(drawing, first)
    save(drawing, str(second))
    assert first.read_bytes().startswith(magic[suffix])
    assert first.read_bytes() == second.read_bytes()
    assert sorted(os.listdir(tmp_path)) == sorted([first.name, second.name])  # no temporary file is left


@pytest.mark.slow
def test_every_shape_and_name_can_be_drawn_by_matplotlib(tmp_path: Path) -> None:
    """Warnings are errors here: no missing glyph, no mathematics in names, no complaint about fonts."""
    ranks = [float(j + 1) for j in range(30)]
    matrix = comparison(ranks, lambda a, b: ("a better", "cannot tell", ALIKE)[(a + b) % 3], control=None)
    anywhere = [name for name in NAMES if "算" not in name]  # which takes a font that not every machine has
    save(odd_names(names=anywhere), tmp_path / "names.png")
    save(odd_names(control=3, names=anywhere), tmp_path / "names.pdf")
    save(diagram(matrix), tmp_path / "matrix.pdf")


def test_names_that_no_font_has_are_refused_not_drawn_as_question_marks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two algorithms were both called ????, without a word."""
    from matplotlib.font_manager import fontManager

    shipped = [font for font in fontManager.ttflist if "mpl-data" in font.fname]  # of 3.11 on with one box for all
    monkeypatch.setattr(fontManager, "ttflist", shipped)
    drawing = diagram(comparison([1.0, 2.0], lambda a, b: ALIKE, names=["随机森林", "深度学习"]))
    for suffix in (".png", ".pdf"):
        with pytest.raises(MissingPackageError, match=r"no installed font has the characters .*save a \.svg"):
            save(drawing, tmp_path / f"names{suffix}")
    save(drawing, tmp_path / "names.svg")
    assert "深度学习" in (tmp_path / "names.svg").read_text(encoding="utf-8")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["names.svg"]


@pytest.mark.slow
def test_matplotlib_draws_in_the_order_of_the_drawing() -> None:
    """Or guide lines would cross the marks that stand on them, other than in the SVG."""
    drawing = diagram(comparison([float(j + 1) for j in range(30)], lambda a, b: ALIKE, control=0))
    orders = [artist.get_zorder() for artist in mpl._figure(drawing).get_children()[1:]]
    assert orders == sorted(orders) == list(range(len(drawing.items)))


@pytest.mark.slow
def test_the_users_matplotlib_is_left_alone_and_does_not_matter(tmp_path: Path) -> None:
    import matplotlib

    drawing = diagram(with_cd([1.0, 2.0, 3.0], 0.5))
    save(drawing, tmp_path / "plain.png")
    with matplotlib.rc_context({"lines.linewidth": 9, "text.color": "red", "font.size": 40, "figure.dpi": 30}):
        before = dict(matplotlib.rcParams)
        save(drawing, tmp_path / "styled.png")
        assert dict(matplotlib.rcParams) == before
    assert (tmp_path / "plain.png").read_bytes() == (tmp_path / "styled.png").read_bytes()


def test_png_has_the_size_of_the_drawing_at_300_dpi(tmp_path: Path) -> None:
    drawing = diagram(with_cd([1.0, 2.0, 3.0], 0.5))
    save(drawing, tmp_path / "x.png")
    header = (tmp_path / "x.png").read_bytes()[16:24]
    width, height = int.from_bytes(header[:4]), int.from_bytes(header[4:])
    assert abs(width - drawing.width / 72 * 300) <= 1
    assert abs(height - drawing.height / 72 * 300) <= 1


def test_places_and_suffixes_that_do_not_work(tmp_path: Path) -> None:
    drawing = diagram(comparison([1.0, 2.0], lambda a, b: ALIKE))
    with pytest.raises(ParameterError, match=r"\.svg, \.png, \.pdf, \.tex"):
        save(drawing, tmp_path / "x.jpeg")
    with pytest.raises(ParameterError, match="folder"):
        save(drawing, tmp_path / "absent" / "x.svg")
    (tmp_path / "folder.svg").mkdir()
    with pytest.raises(ParameterError, match="cannot be written"):
        save(drawing, tmp_path / "folder.svg")
    assert os.listdir(tmp_path) == ["folder.svg"]


def test_drawing_and_svg_need_no_drawing_library() -> None:
    """Start-up is part of the interface: importing figures imports none of the heavy packages."""
    code = (
        "import sys, bakeoff.figures\n"
        "heavy = {'matplotlib', 'pandas', 'scipy.stats', 'numba', 'narwhals', 'PIL'} & set(sys.modules)\n"
        "sys.exit(str(sorted(heavy)) if heavy else 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_names_are_printable_and_stay_apart() -> None:
    assert printable("a\tb\nc") == "a b c"
    assert printable("\x00\x1b[31m") == "��[31m"
    assert printable("") == printable(" \n") == "(no name)"
    assert printable("\u202edlrow") == "dlrow"
    assert printable("\ud800\uffff") == "��"
    assert printable("👩\u200d🔬 算法") == "👩\u200d🔬 算法"
