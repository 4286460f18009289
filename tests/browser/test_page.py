"""The HTML report in a real browser: it opens from the disk, asks nothing of the network, and fits a phone."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

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
    "bayes": "PDFC is better than IS-CHC+1NN and FH-GBML (2 of 3)",
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
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)


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
    assert "<script" not in text


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
