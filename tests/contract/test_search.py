"""``bakeoff docs WORDS`` and the site's search find what readers of the papers, and others, ask for."""

from __future__ import annotations

import json
import shutil
import subprocess
import tomllib
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from bakeoff.cli import main
from bakeoff.cli.commands import docs
from bakeoff.cli.commands.docs import hits_on
from bakeoff.cli.searching import Index, folded, index_of, synonyms

ROOT = Path(__file__).parents[2]
WANTED: dict[str, dict[str, str]] = tomllib.loads(
    Path(__file__).with_name("search_words.toml").read_text(encoding="utf-8")
)
PAPERS = [wanted for name, wanted in WANTED.items() if name != "everyday"]
pytestmark = pytest.mark.skipif(not (ROOT / "docs" / "conf.py").exists(), reason="the pages are in the repository only")


@pytest.fixture(scope="module")
def index() -> Index:
    return index_of(ROOT / "docs")


def missed(index: Index, wanted: dict[str, str]) -> list[str]:
    """Words without a right page among the first three."""
    return [
        word for word, pages in wanted.items() if not {hit.page for hit in hits_on(index, word)[:3]} & {*pages.split()}
    ]


@pytest.mark.parametrize("name", WANTED)
def test_every_word_finds_its_page(index: Index, name: str) -> None:
    assert missed(index, WANTED[name]) == []


def test_the_papers_have_153_words_and_everyday_sixty() -> None:
    assert sum(map(len, PAPERS)) == 153
    assert len(WANTED["everyday"]) >= 60


@pytest.mark.parametrize(
    ("typed", "page"),
    [
        ("which test", "guides/compare"),
        ("lm-eval", "how-to/evaluations"),
        ("reviewer", "reviewers"),
        ("margin", "understand/margins"),
        ("confidence interval", "understand/effects"),
        ("R", "how-to/r"),
        ("slurm", "how-to/slurm"),
        ("nemenyi", "methods/nemenyi"),
    ],
)
def test_the_first_page_is_the_one_that_a_reader_wants(index: Index, typed: str, page: str) -> None:
    assert hits_on(index, typed)[0].page == page


@pytest.mark.parametrize(
    "spellings",
    [
        ("post-hoc", "post hoc", "posthoc", "Post-Hoc"),
        ("contrast estimation", "Contrast-Estimation", "contrast_estimation", "contrastestimation"),
        ("Demšar", "demsar", "DEMŠAR"),
        ("n0", "n_0", "N0"),
        ("5x2cv", "5×2 cv", "5x2-CV"),
        ("folds", "fold"),
        ("optimization", "optimisation"),
    ],
)
def test_case_hyphens_spaces_accents_do_not_count(index: Index, spellings: tuple[str, ...]) -> None:
    first, *others = ([hit.page for hit in hits_on(index, each)][:3] for each in spellings)
    assert all(other[0] == first[0] for other in others)


def test_words_are_folded() -> None:
    assert folded("Holm's Post-hoc tests, n_0 for Demšar’s studies") == [
        *("holm", "post", "hoc", "test", "n0", "for", "demsar", "study")
    ]


def test_every_synonym_leads_somewhere(index: Index) -> None:
    pages = {name for name, _, _ in index.pages}
    headings = {(index.pages[page][0], heading) for page, heading, _ in index.sections} | {(page, "") for page in pages}
    lost = {place for _, place in synonyms() if tuple((*place.split("#", 1), "")[:2]) not in headings}
    assert not lost
    named = {page for wanted in WANTED.values() for pages in wanted.values() for page in pages.split()}
    assert named <= pages


# --- the command


@pytest.fixture
def no_site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(docs, "PLACES", (tmp_path,))
    monkeypatch.chdir(tmp_path)


def printed(*words: str, code: int = 0) -> str:
    done = CliRunner().invoke(main, ["docs", *words, "--print"])
    assert done.exit_code == code, done.output
    return done.output


@pytest.mark.usefixtures("no_site")
def test_several_words_are_one_query() -> None:
    assert printed("contrast", "estimation").startswith("# Contrast estimation")
    assert printed("multiple", "sign") == printed("multiple-sign")


@pytest.mark.usefixtures("no_site")
def test_the_five_best_passages_are_printed_with_their_pages() -> None:
    text = printed("missing")
    entries = [line for line in text.splitlines() if line and not line.startswith(" ")]
    assert 2 <= len(entries) - 1 <= 5
    assert {"how-to/input", "understand/ties"} <= {line.split()[0] for line in entries}
    assert "    Missing scores are empty fields" in text
    assert entries[-1] == "bakeoff docs PAGE prints one."


@pytest.mark.usefixtures("no_site")
def test_what_is_nowhere_is_answered_with_what_is_near() -> None:
    assert "did you mean 'holm'?" in printed("hollm", code=2)
    assert "no page is about 'xyzzy'; bakeoff docs lists the pages" in printed("xyzzy", code=2)
    printed("???", code=2)


# --- the site


@pytest.mark.skipif(
    shutil.which("node") is None, reason="needs node; the browser's test of the site has the same words"
)
def test_the_site_ranks_as_the_command_does(index: Index, tmp_path: Path) -> None:
    words = [word for wanted in WANTED.values() for word in wanted]
    rng = np.random.default_rng(1)
    texts = [" ".join(rng.choice(list(index.words), size=size)) for size in (1, 2, 3, 5) for _ in range(5)]
    others = ["", "???", "hollm", "exchangeability", "which test should I use", "Demšar’s", "İstanbul ß", "R⁺", "n_0"]
    queries = [*words[::5], *texts, *others]
    (tmp_path / "words.js").write_text(index.script(), encoding="utf-8")
    command = [
        *("node", str(Path(__file__).with_name("search_ranks.js"))),
        *(str(ROOT / "docs" / "_static" / "find.js"), str(tmp_path / "words.js")),
    ]
    done = subprocess.run(command, input=json.dumps(queries), capture_output=True, text=True, encoding="utf-8")
    assert done.returncode == 0, done.stderr
    for query, hits in zip(queries, json.loads(done.stdout), strict=True):
        ours = index.found(query)
        assert [hit[:2] for hit in hits] == [[hit.page, hit.section] for hit in ours], query
        assert [hit[2] for hit in hits] == pytest.approx([hit.score for hit in ours], rel=1e-9), query


def test_the_index_of_a_site_is_read_back(index: Index, tmp_path: Path) -> None:
    (tmp_path / "words.js").write_text(index.script(), encoding="utf-8")
    again = Index.read(tmp_path / "words.js")
    assert again.found("critical difference") == index.found("critical difference")
