"""Names that nobody can tell apart are refused wherever scores come from; those that differ by case are noted."""

from __future__ import annotations

import io
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas
import pytest

import bakeoff as bo
from bakeoff.errors import BakeoffError, ScoreError
from bakeoff.ranks.cautions import looks_clustered
from bakeoff.scores.cells import refuse_lookalikes
from bakeoff.scores.read_as import ColumnRole
from bakeoff.scores.source_cautions import source_cautions

VALUES = np.arange(12.0).reshape(4, 3)
ALIKE = {
    "no width": ("A", "A\u200b"),
    "soft hyphen": ("AB", "A\u00adB"),
    "byte order mark": ("\ufeffA", "A"),
    "directions": ("A", "\u202aA\u202c"),
    "variant": ("\u2764", "\u2764\ufe0f"),
    "decomposed": ("\xe9", "e\u0301"),
    "decomposed around nothing": ("\xe9", "e\u200b\u0301"),
    "Cyrillic": ("A", "\u0410"),
    "Greek": ("O", "\u039f"),
    "Cyrillic and Greek": ("\u0410", "\u0391"),
    "micro": ("\u00b5s", "\u03bcs"),
    "dash": ("CMA-ES", "CMA\u2013ES"),
    "space": ("a b", "a\u00a0b"),
}
DIFFERENT = (
    ["A", "a", "\u03b1", "B", "\u0411"],
    ["\u4e2d", "\u4e2d\u6587", "\U0001f600", "\u043c\u0435\u0442\u043e\u0434", "x"],
    ["x\u00b2", "x2", "\u2113", "l", "1"],
)


@pytest.mark.parametrize("names", ALIKE.values(), ids=ALIKE)
def test_names_that_look_alike_are_refused(names: Sequence[str]) -> None:
    """The report showed one name twice, and nobody could say which of them was better."""
    three = [*names, "third"]
    with pytest.raises(ScoreError, match="algorithms must have names that look different") as refused:
        bo.Scores(VALUES, three, better="lower")
    assert str(refused.value).isascii()  # escaped, so that the difference is seen
    for given in ({"problems": three}, {"clusters": three}):
        with pytest.raises(ScoreError, match="must have names that look different"):
            bo.Scores(VALUES.T, better="lower", **given)
    assert bo.Scores(VALUES.T, better="lower", clusters=[names[1]] * 3).n_problems == 3


@pytest.mark.parametrize("names", DIFFERENT)
def test_names_that_only_resemble_each_other_are_taken(names: Sequence[str]) -> None:
    refuse_lookalikes("algorithms", names)


def readers(first: str, second: str, folder: Path) -> dict[str, Any]:
    """The same table by each way in."""
    pairs = [(p, a, i + j) for i, p in enumerate(("x", "y")) for j, a in enumerate((first, second))]
    long = "problem,algorithm,score\n" + "".join(f"{p},{a},{s}\n" for p, a, s in pairs)
    (folder / "one.csv").write_text("problem,score\nx,1\ny,2\n")
    (folder / "t.json").write_text(json.dumps([{"problem": p, "algorithm": a, "score": s} for p, a, s in pairs]))
    return {
        "long": io.StringIO(long),
        "wide": io.StringIO(f"problem,{first},{second}\nx,1,2\ny,2,3\n"),
        "turned": io.StringIO(f"model,x,y\n{first},1,2\n{second},2,3\n"),
        "JSON": folder / "t.json",
        "dict": {"problem": ["x", "y"], first: [1, 2], second: [2, 3]},
        "labels": {first: folder / "one.csv", second: folder / "one.csv"},
    }


@pytest.mark.parametrize("way", ["long", "wide", "turned", "JSON", "dict", "labels"])
def test_every_way_in_refuses_them(way: str, tmp_path: Path) -> None:
    for names in (("A", "A\u200b"), ("\xe9", "e\u0301")):
        with pytest.raises(ScoreError, match="algorithms must have names that look different"):
            bo.read_scores(readers(*names, tmp_path)[way], "lower")
    if way in ("JSON", "dict"):
        with pytest.raises(ScoreError, match="cannot be written in UTF-8"):
            bo.read_scores(readers("a", "\ud800", tmp_path)[way], "lower")


@pytest.mark.parametrize("missing", ["raise", "drop", "worst", "available", "keep"])
def test_they_are_refused_before_scores_are_missing(missing: Any) -> None:
    """A row called so was said to be missing, or left out."""
    with pytest.raises(ScoreError, match="algorithms must have names that look different"):
        bo.read_scores(
            io.StringIO("problem,algorithm,score\nx,A,1\nx,B,2\ny,A\u200b,1\ny,B,3\n"), "lower", missing=missing
        )


def test_an_experiment_is_refused_before_its_runs(tmp_path: Path) -> None:
    def solver(problem: object, rng: object) -> float:
        return 1.0

    with pytest.raises(BakeoffError, match="algorithms must have names that look different"):
        bo.Experiment({"A": solver, "A\u200b": solver}, {"p": 0}, better="lower", seed=1)
    with pytest.raises(BakeoffError, match="problems must have names that look different"):
        bo.Experiment({"A": solver, "B": solver}, {"\xe9": 0, "e\u0301": 1}, better="lower", seed=1)


def test_names_that_differ_by_case_are_noted() -> None:
    def noted(**names: Any) -> list[str]:
        scores = bo.Scores(VALUES, better="lower", **names)
        return [c.text for c in source_cautions(scores) if c.name == "doubtful-reading (names)"]

    assert len(noted(algorithms=["kNN", "KNN", "SVM"])) == 1
    assert len(noted(algorithms=["kNN", "KNN", "x"], problems=["Iris", "iris", "IRIS", "wine"])) == 2
    assert noted(problems=["a", "b", "c", "d"]) == []


# --- what names a frame of pandas has ---------------------------------------------------------------------------


def test_an_index_of_two_levels_without_names_keeps_its_labels() -> None:
    """They were lost, and with them the only sign that folds of one data set are no independent problems."""
    rng = np.random.default_rng(0)
    first = np.repeat(rng.normal(0, 2, 6), 10) + 0.3 * rng.normal(size=60)
    frame = pandas.DataFrame({"A": first, "B": first + np.repeat(rng.normal(size=6), 10) + 0.5 * rng.normal(size=60)})
    for left, right, names in (("d", "f", ("d0/f0", "d5/f9")), (0, 0, ("0/0", "5/9"))):
        pairs = [(f"d{i}", f"f{j}") if left else (i, j) for i in range(6) for j in range(10)]
        frame.index = pandas.MultiIndex.from_tuples(pairs)
        scores = bo.read_scores(frame, "lower")
        assert (scores.problems[0], scores.problems[-1]) == names, right
        assert looks_clustered(scores)
    long = pandas.DataFrame({"dataset": ["x", "x", "y", "y"], "algorithm": list("abab"), "score": [1.0, 2, 3, 4]})
    numbered = long.set_axis(pandas.MultiIndex.from_tuples([(0, 0), (0, 1), (1, 0), (1, 1)]))  # of pandas.concat
    assert bo.read_scores(numbered, "lower").problems == ("x", "y")
    wide = long.pivot_table(index="dataset", columns="algorithm", values=["score"])
    for table in (wide, wide.reset_index()):
        assert bo.read_scores(table, "lower").algorithms == ("score/a", "score/b")


def test_an_index_without_a_name_is_not_said_to_be_left_out() -> None:
    rows = "".join(f"{i},d{i},{i},{i + 1}\n" for i in range(5))
    assert bo.read_scores(io.StringIO(f",dataset,A,B\n{rows}"), "lower").read_as.roles == ()
    named = bo.read_scores(io.StringIO(f"nr,dataset,A,B\n{rows}"), "lower").read_as
    assert named.roles == (ColumnRole("nr", "row number", "counts the rows"),)
