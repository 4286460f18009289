"""The HTML report in a real browser: it opens from the disk, asks nothing of the network, and fits a phone."""

from __future__ import annotations

import html
import json
import re
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

import bakeoff as bo

BROWSER = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
OPTIONS = [
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--hide-scrollbars"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
    "--enable-logging=stderr",
]

pytestmark = [pytest.mark.slow, pytest.mark.skipif(BROWSER is None, reason="no Chromium here; CI installs it")]


VERDICTS = {
    "compare": "SaDE (the control) is better than PSO, CHC and SSGA",
    "bayes": "PDFC is better than FH-GBML (1 of 3)",
}


@pytest.fixture(scope="module", params=VERDICTS)
def page(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("page") / f"{request.param}.html"
    if request.param == "compare":
        bo.compare(bo.datasets.load("derrac_cec2005"), control="SaDE", posthoc="all").save(path)
    else:
        bo.bayes.overview(bo.datasets.load("garcia_2010"), rope=0.02).save(path)
    return path


def browse(page: Path, profile: Path, *options: str) -> subprocess.CompletedProcess[str]:
    command = [str(BROWSER), *OPTIONS, f"--user-data-dir={profile}", *options, page.as_uri()]
    return subprocess.run(command, capture_output=True, text=True, check=True)


def test_the_page_opens_without_complaint(page: Path, tmp_path: Path) -> None:
    done = browse(page, tmp_path, "--dump-dom")
    assert VERDICTS[page.stem] in done.stdout
    assert "<svg" in done.stdout
    complaints = [line for line in done.stderr.splitlines() if "CONSOLE" in line or "Refused" in line]
    assert complaints == []


def test_nothing_in_the_page_points_outside(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert "default-src 'none'" in text
    loaded = re.findall(r"""(?:src|href|xlink:href)\s*=\s*["']([^"'#][^"']*)""", text)
    assert [link for link in loaded if not link.startswith("data:")] == []
    scripts = re.findall(r"<script\b[^>]*>", text)
    assert scripts == ['<script type="application/json" id="bakeoff-data">', "<script>"]  # the policy names the second


def test_a_phone_needs_no_sideways_scrolling(page: Path, tmp_path: Path) -> None:
    """Tables scroll inside their own boxes; the page itself stays as wide as the screen."""
    probe = page.with_name("probe.html")
    policy = re.compile(r"<meta[^>]*Content-Security-Policy[^>]*>", re.IGNORECASE)
    script = "<script>document.title = 'wide ' + document.documentElement.scrollWidth</script></body>"
    probe.write_text(policy.sub("", page.read_text(encoding="utf-8")).replace("</body>", script), encoding="utf-8")
    # headless Chromium opens no window narrower than 500 px
    done = browse(probe, tmp_path, "--window-size=500,900", "--dump-dom")
    width = re.search(r"<title>wide (\d+)</title>", done.stdout)
    assert width is not None
    assert int(width[1]) <= 500


PROBE = """<script>
const wide = [...document.querySelectorAll('.scroll, figure, h1, .points, .prose')]
  .filter(box => box.scrollWidth > box.clientWidth + 1 && !box.querySelector('.square'))
  .map(box => box.className + ':' + (box.querySelector('caption') || box).textContent.slice(0, 30));
const cut = [...document.querySelectorAll('figure')].filter(box => box.scrollHeight > box.clientHeight + 1);
const drawn = [...document.querySelectorAll('figure')].map(
  box => [...box.querySelectorAll('svg')].filter(svg => svg.getBoundingClientRect().width > 0).length);
document.title = JSON.stringify({page: document.documentElement.scrollWidth, wide, cut: cut.length, drawn});
</script></body>"""
LONG = ("A-very-long-configuration-name(lr=0.01,batch=256,dropout=0.5)", "Gradient boosting, 500 trees", "SVM", "k-NN")


@pytest.fixture(scope="module")
def reports(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Many pairs; long names; the other kinds of results."""
    folder = tmp_path_factory.mktemp("reports")
    rng = np.random.default_rng(3)
    values = 0.8 + 0.02 * rng.normal(size=(40, 8)) + np.linspace(0, 0.05, 8)
    many = bo.Scores(values, better="higher")
    long = bo.Scores(values[:, :4], LONG, better="higher")
    found = {
        "many": bo.compare(many),
        "long": bo.compare(long, posthoc=["holm", "shaffer"]),
        "control": bo.compare(long, control="SVM"),
        "bayes": bo.bayes.overview(long, rope=0.01, n_draws=500),
        "race": bo.race.replay(many),
        "plan": bo.plan.curve(n=40),
    }
    for name, result in found.items():
        result.save(folder / f"{name}.html")
    return {name: folder / f"{name}.html" for name in found}


@pytest.mark.few(1)
@pytest.mark.parametrize("width", [390, 768, 1000, 1280])
def test_nothing_is_clipped_on_any_screen(reports: dict[str, Path], tmp_path: Path, width: int) -> None:
    """U-A22: columns of the pairs and the axis of a forest plot could be seen by scrolling within a box only."""
    policy = re.compile(r"<meta[^>]*Content-Security-Policy[^>]*>", re.IGNORECASE)
    for name, page in reports.items():
        probe = tmp_path / "probe.html"
        probe.write_text(policy.sub("", page.read_text(encoding="utf-8")).replace("</body>", PROBE), encoding="utf-8")
        frame = tmp_path / "frame.html"  # no window is narrower than 500 px, a frame may be
        frame.write_text(
            f"<iframe id=f style='width:{width}px;height:900px;border:0' src='probe.html'></iframe>"
            "<script>f.onload = () => document.title = f.contentDocument.title</script>"
        )
        window = (f"--window-size={max(width, 500) + 40},900", "--allow-file-access-from-files")
        done = browse(frame, tmp_path / "profile", *window, "--virtual-time-budget=3000", "--dump-dom")
        title = re.search(r"<title>(.*?)</title>", done.stdout)
        assert title is not None, name
        seen = json.loads(title[1].replace("&amp;", "&"))
        assert seen["page"] <= width, (name, seen)
        assert seen["wide"] == [], (name, width)
        assert seen["cut"] == 0, name
        assert set(seen["drawn"]) <= {1}, name


@pytest.mark.skipif(shutil.which("pdftotext") is None, reason="no pdftotext here; CI installs it")
def test_paper_holds_every_cell(reports: dict[str, Path], tmp_path: Path) -> None:
    """U-A23: the last column of the pairs was not on the paper."""
    for name, page in list(reports.items())[::2]:
        pdf = tmp_path / f"{name}.pdf"
        browse(page, tmp_path / "profile", "--no-pdf-header-footer", f"--print-to-pdf={pdf}")
        done = subprocess.run(["pdftotext", str(pdf), "-"], capture_output=True, text=True, check=True)
        printed = set(done.stdout.split())
        cells = re.findall(r'<td(?: class="(?:key|best)")?>([^<]+)</td>', page.read_text(encoding="utf-8"))
        words = {word for cell in cells for word in html.unescape(cell).split()}
        assert words - printed == set(), name
        first = subprocess.run(
            ["pdftotext", "-l", "1", str(pdf), "-"], capture_output=True, text=True, check=True
        ).stdout
        assert len(first.split()) > 60, f"{name}: the first page is nearly white"


@pytest.mark.skipif(shutil.which("pdftotext") is None, reason="no pdftotext here; CI installs it")
def test_a_table_on_paper_has_its_head_on_each_page(tmp_path: Path) -> None:
    """The heads are buttons, which Chromium leaves out on the second page."""
    rng = np.random.default_rng(1)
    scores = bo.Scores(rng.normal(size=(30, 10, 1)) + np.arange(10)[:, None], better="lower")
    page, pdf = tmp_path / "report.html", tmp_path / "report.pdf"
    bo.compare(scores).save(page)
    browse(page, tmp_path / "profile", "--no-pdf-header-footer", f"--print-to-pdf={pdf}")
    text = subprocess.run(["pdftotext", "-layout", str(pdf), "-"], capture_output=True, text=True, check=True).stdout
    of_pairs = [sheet for sheet in text.split("\f") if len(re.findall(r"A\d+ +A\d+ +first better", sheet)) > 3]
    assert len(of_pairs) > 1
    assert [sheet for sheet in of_pairs if not re.search("second +verdict", sheet)] == []
