"""``bakeoff docs``: the shipped copy at a word, or where one can be had."""

from __future__ import annotations

import json
import webbrowser
from pathlib import Path

import pytest
from click.testing import CliRunner

from bakeoff.cli import main
from bakeoff.cli.commands import docs


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    addresses: list[str] = []
    monkeypatch.setattr(webbrowser, "open", addresses.append)
    return addresses


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "a site"
    folder.mkdir()
    words = {
        "compare": ["guides/compare.html", "reference/cli.html#bakeoff-compare"],
        "holm": ["methods/holm.html"],
        "unequal-clusters": ["understand/cautions.html#unequal-clusters"],
        "guides/compare": ["guides/compare.html"],
    }
    (folder / "words.json").write_text(json.dumps(words))
    monkeypatch.setattr(docs, "PLACES", (tmp_path / "nowhere", folder))
    return folder


def test_a_word_opens_its_page(site: Path, opened: list[str]) -> None:
    done = CliRunner().invoke(main, ["docs", "unequal-clusters"])
    assert done.exit_code == 0, done.output
    assert opened == [f"{(site / 'understand' / 'cautions.html').as_uri()}#unequal-clusters"]
    assert done.output.split() == opened
    assert "a%20site" in opened[0]


def test_all_pages_are_named_and_the_first_is_opened(site: Path, opened: list[str]) -> None:
    done = CliRunner().invoke(main, ["docs", "Compare"])
    assert [address.rpartition("/")[2] for address in done.output.split()] == [
        "compare.html",
        "cli.html#bakeoff-compare",
    ]
    assert opened == done.output.split()[:1]


@pytest.mark.parametrize(("given", "page"), [([], "index.html"), (["guides/compare.md"], "guides/compare.html")])
def test_pages(site: Path, opened: list[str], given: list[str], page: str) -> None:
    done = CliRunner().invoke(main, ["docs", *given, "--print"])
    assert done.output == f"{(site / page).as_uri()}\n"
    assert opened == []


def test_an_unknown_word_is_answered_with_near_ones(site: Path, opened: list[str]) -> None:
    done = CliRunner().invoke(main, ["docs", "clusters"])
    assert done.exit_code == 2
    assert "no page is about 'clusters'; there are unequal-clusters" in done.output
    assert "did you mean 'holm'" in CliRunner().invoke(main, ["docs", "hollm"]).output
    assert opened == []


def test_without_a_copy_it_says_where_one_comes_from(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, opened: list[str]
) -> None:
    monkeypatch.setattr(docs, "PLACES", (tmp_path,))
    done = CliRunner().invoke(main, ["docs", "holm"])
    assert done.exit_code == 2
    assert "`make site` builds it into build/site" in done.output
    assert opened == []
