"""``bakeoff study``: a table in Markdown or JSON, the same for equal seeds, and what it refuses."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import bakeoff as bo
from bakeoff.cli import main


def study(*words: str) -> Result:
    return CliRunner().invoke(main, ["study", *words])


@pytest.fixture
def accuracies(tmp_path: Path) -> Path:
    path = tmp_path / "accuracy.csv"
    bo.datasets.load("garcia_2010").to_frame().to_csv(path, index=False)
    return path


PAIR = ("--better", "higher", "--a", "PDFC", "--b", "NNEP", "--draws", "40")


def test_power_on_a_page(accuracies: Path) -> None:
    shown = study("power", str(accuracies), *PAIR, "--test", "wilcoxon,sign", "--test", "holm", "--bias", "0,20")
    assert shown.exit_code == 0, shown.stderr
    assert all(len(line) <= 80 for line in shown.stdout.splitlines())
    found = bo.study.power(
        bo.datasets.load("garcia_2010"), "PDFC", "NNEP", ["wilcoxon", "sign", "holm"], bias=(0, 20), draws=40
    )
    row = next(line for line in shown.stdout.splitlines() if line.startswith("Wilcoxon"))
    assert row.split()[-2:] == [str(found.row("wilcoxon", k).rejections) for k in (0, 20)]
    assert "Problems are drawn knowing the result" in " ".join(shown.stdout.split())


@pytest.mark.slow
def test_power_in_every_format(accuracies: Path, tmp_path: Path) -> None:
    for options, schema in (((), "power"), (("--shift", "0,1", "--null", "all"), "known-truth")):
        targets = [tmp_path / f"{schema}.{suffix}" for suffix in ("html", "md", "tex", "json", "csv", "xlsx", "svg")]
        words = [x for target in targets for x in ("--report", str(target))]
        done = study("power", str(accuracies), *PAIR, "--test", "t,friedman,li,compare", *options, *words)
        assert done.exit_code == 0, done.stderr
        html, md, tex, content, csv = (target.read_text(encoding="utf-8") for target in targets[:5])
        assert html.count("<svg") >= 3
        assert "Bouckaert" in md or schema == "known-truth"
        assert r"\begin{tabular" in tex
        found = json.loads(content)
        assert found["schema"] == f"bakeoff.study-{schema}/1"
        assert found["rows"][0]["rejections_se"] >= 0
        assert csv.splitlines()[0].startswith("test,k,draws,rejections," if schema == "power" else "test,shift,errors,")
        assert len(csv.splitlines()) == 1 + 4 * (5 if schema == "power" else 2)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--bias", "0;5"), "--bias must be numbers with commas"),
        (("--scale", "1,5"), "--scale must be sd or a number"),
        (("--null", "all"), "--null needs --shift"),
        (("--shift", "0,1", "--bias", "3"), "--bias has no meaning with --shift"),
        (("--shift", "1"), "--shift must have 0 among them"),
        (("--size", "25"), "--size must be a whole number between 2 and 24"),
        (("--test", "wilcoxn"), "--test must be one of"),
        (("--b", "PDFC"), "must be two different algorithms"),
    ],
)
def test_what_power_refuses(accuracies: Path, words: tuple[str, ...], said: str) -> None:
    shown = study("power", str(accuracies), *PAIR, *words)
    assert shown.exit_code != 0
    assert said in shown.stderr


def test_power_needs_a_pair_a_direction_and_a_unit(accuracies: Path, tmp_path: Path) -> None:
    assert "--b NAME is required" in study("power", str(accuracies), "--better", "higher", "--a", "PDFC").stderr
    assert "--better is required" in study("power", str(accuracies), "--a", "PDFC", "--b", "NNEP").stderr
    path = tmp_path / "errors.csv"
    bo.datasets.load("derrac_cec2005").to_frame().to_csv(path, index=False)
    words = ("power", str(path), "--better", "lower", "--a", "SaDE", "--b", "PSO", "--draws", "5")
    assert "--scale is needed" in study(*words).stderr
    assert study(*words, "--scale", "sd", "--test", "sign").exit_code == 0
