"""Reports on random tables, each opened in Chromium and checked by the script that it carries."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from browser.browsing import CHROMIUM, chromium
from browser.report_pages import MAKERS, Seen

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = [
    pytest.mark.slow,
    pytest.mark.needs("playwright"),
    pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here; CI installs it"),
]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as found:
        yield found


def disagreeing(browser: Browser, folder: Path, kind: str, seeds: range, **size: Any) -> list[str]:
    """What the pages of these seeds said, but for those that agree with themselves and run nothing else."""
    told = []
    for seed in seeds:
        path = folder / f"{seed}.html"
        MAKERS[kind](seed, **size).save(path)
        page = Seen(browser, path)
        said = page.check()
        if "all agree" not in said or not page.clean():
            told.append(f"{seed}: {said[:400]} {page.complaints} {page.violations()}")
        page.close()
        path.unlink()
    return told


@pytest.mark.parametrize("kind", MAKERS)
def test_pages_of_random_tables_agree_with_themselves(browser: Browser, tmp_path: Path, kind: str) -> None:
    assert disagreeing(browser, tmp_path, kind, range(2), **({"largest": 40} if kind == "compare" else {})) == []


@pytest.mark.exhaustive
@pytest.mark.parametrize("kind", MAKERS)
def test_hundreds_of_pages_agree(browser: Browser, tmp_path: Path, kind: str) -> None:
    assert disagreeing(browser, tmp_path, kind, range(5000, 5200)) == []
