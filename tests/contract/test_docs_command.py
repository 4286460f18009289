"""``bakeoff docs``: the shipped copy at a word, or the passage in the terminal where no site was built."""

from __future__ import annotations

import webbrowser
from pathlib import Path

import pytest
from click.testing import CliRunner

from bakeoff.cli import main
from bakeoff.cli._main import commands
from bakeoff.cli.commands import docs
from bakeoff.cli.searching import Index, index_of


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    addresses: list[str] = []
    monkeypatch.setattr(webbrowser, "open", addresses.append)
    return addresses


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "a site"
    (folder / "_static").mkdir(parents=True)
    index = Index()
    for page, title, heading, address, names in (
        ("guides/compare", "Comparing", "", "", ("compare", "guides/compare")),
        ("reference/cli", "The command line", "`bakeoff compare`", "#bakeoff-compare", ("compare", "bakeoff compare")),
        ("methods/holm", "Holm", "", "", ("holm",)),
        (
            "understand/cautions",
            "Cautions",
            "`interval-below-level`",
            "#interval-below-level",
            ("interval-below-level",),
        ),
    ):
        section = index.add_section(index.add_page(page, title), heading, f"{page}.html{address}", title)
        for name in names:
            index.add_phrase(name, "key", section)
    (folder / "_static" / "words.js").write_text(index.script(), encoding="utf-8")
    monkeypatch.setattr(docs, "PLACES", (tmp_path / "nowhere", folder))
    return folder


def test_a_word_opens_its_page(site: Path, opened: list[str]) -> None:
    done = CliRunner().invoke(main, ["docs", "interval-below-level"])
    assert done.exit_code == 0, done.output
    assert opened == [f"{(site / 'understand' / 'cautions.html').as_uri()}#interval-below-level"]
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
    done = CliRunner().invoke(main, ["docs", "hollm"])
    assert done.exit_code == 2
    assert "no page is about 'hollm'; did you mean 'holm'?" in done.output
    assert opened == []


def test_a_part_of_a_name_finds_it(site: Path, opened: list[str]) -> None:
    done = CliRunner().invoke(main, ["docs", "below", "level", "--print"])
    assert done.output == f"{(site / 'understand' / 'cautions.html').as_uri()}#interval-below-level\n"


@pytest.fixture
def no_site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(docs, "PLACES", (tmp_path,))
    monkeypatch.chdir(tmp_path)


def printed(*words: str) -> str:
    done = CliRunner().invoke(main, ["docs", *words])
    assert done.exit_code == 0, done.output
    return done.stdout


@pytest.mark.slow
@pytest.mark.usefixtures("no_site")
@pytest.mark.parametrize(
    ("word", "begins"),
    [
        ("holm", "# Holm's step-down procedure"),
        ("unequal", "### `unequal`\n"),
        ("rerun", "## `bakeoff rerun`\n"),
        ("guides/compare.md", "# "),
        ("bo.compare", "bo.compare\n\nWhich algorithms differ"),
    ],
)
def test_without_a_site_the_passage_is_printed(word: str, begins: str, opened: list[str]) -> None:
    assert printed(word, "--print").startswith(begins)
    assert printed(word) == printed(word, "--print")
    assert opened == []


@pytest.mark.usefixtures("no_site")
def test_a_passage_ends_where_the_next_begins() -> None:
    text = printed("rerun")
    assert "Exit code 1: a different score" in text
    assert "bakeoff import" not in text


@pytest.mark.usefixtures("no_site")
def test_without_a_site_and_a_word_the_pages_are_listed() -> None:
    listed = [line.split()[0] for line in printed().splitlines() if "/" in line]
    assert {"guides/compare", "methods/holm", "understand/cautions", "reference/cli"} <= set(listed)


@pytest.mark.usefixtures("no_site")
def test_every_command_has_a_passage_as_its_help_says() -> None:
    index = index_of(docs.CLONE / "docs")
    first = {name: docs.hits_on(index, name)[0] for name in commands()}
    assert [name for name, hit in first.items() if not index.is_name(name, hit.section)] == []


def test_the_site_built_in_the_clone_one_stands_in_is_opened(
    site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, opened: list[str]
) -> None:
    monkeypatch.setattr(docs, "PLACES", ())
    (tmp_path / "build").mkdir()
    built = site.rename(tmp_path / "build" / "site")
    (tmp_path / "src" / "bakeoff").mkdir(parents=True)
    (tmp_path / "src" / "bakeoff" / "_version.py").touch()
    monkeypatch.chdir(tmp_path)
    assert printed("holm") == f"{(built / 'methods' / 'holm.html').as_uri()}\n"


@pytest.mark.usefixtures("no_site")
def test_without_any_copy_it_says_where_one_comes_from(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, opened: list[str]
) -> None:
    monkeypatch.setattr(docs, "PAGES", (tmp_path,))
    done = CliRunner().invoke(main, ["docs", "holm"])
    assert done.exit_code == 2
    assert "reinstall it" in done.output
    assert opened == []
