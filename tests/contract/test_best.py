"""One definition of best, at every door: majorities against mean ranks, circles, and clusters of a table's problems."""

import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from bakeoff.cli import main

CONFLICT = ([[1, 2, 3, 4, 5]] * 14 + [[5, 1, 2, 3, 4]] * 6) * 10, ["C", "B", "x", "y", "z"]
CIRCLE = [[1, 2, 3], [2, 3, 1], [3, 1, 2]] * 100, ["A", "B", "C"]


def file(folder: Path, table: tuple[list[list[int]], list[str]], clusters: bool = False) -> str:
    rows, names = table
    head = ["problem", *(["cluster"] if clusters else []), *names]
    lines = [[f"p{i}", *([f"g{i // 10}"] if clusters else []), *map(str, row)] for i, row in enumerate(rows)]
    path = folder / "scores.csv"
    path.write_text("\n".join(map(",".join, [head, *lines])))
    return str(path)


def said(*words: str) -> dict[str, object]:
    done = CliRunner().invoke(main, [*words, "--better", "lower", "--json"])
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


def codes(found: dict[str, object]) -> list[str]:
    return [caution["code"] for caution in found["cautions"]]


@pytest.mark.few(1)
@pytest.mark.parametrize("command", ["race", "bayes"])
def test_condorcet_against_borda(tmp_path: Path, command: str) -> None:
    """C beats everybody on 14 of 20 problems, B has the better mean rank, 1.7 against 2.2."""
    found = said(command, file(tmp_path, CONFLICT))
    assert codes(found).count("mean-rank-conflict") == 1
    if command == "race":
        assert found["survivors"] == ["C"]
        assert "no other beats more often than it is beaten" in str(found["guarantee"])


@pytest.mark.few(1)
@pytest.mark.parametrize("command", ["race", "bayes"])
def test_majorities_in_a_circle(tmp_path: Path, command: str) -> None:
    assert codes(said(command, file(tmp_path, CIRCLE))).count("cycle") == 1


@pytest.mark.few(1)
@pytest.mark.parametrize("command", ["race", "bayes"])
def test_a_column_of_clusters_is_honoured(tmp_path: Path, command: str) -> None:
    rng = np.random.default_rng(1)
    rows = (np.repeat(rng.normal(size=(20, 3)), 10, 0) + rng.normal(size=(200, 3)) + [0, 1, 2]).round(3).tolist()
    found = said(command, file(tmp_path, (rows, ["a", "b", "c"]), clusters=True))
    assert found["n_available_clusters" if command == "race" else "n_clusters"] == 20
    page = CliRunner().invoke(main, [command, str(tmp_path / "scores.csv"), "--better", "lower"])
    assert "20 clusters" in " ".join(page.stdout.split()) or "clusters (" in page.stdout
