"""Experiments whose problems are in clusters: races, resumption, verification, late candidates, the test of a run."""

from pathlib import Path

import numpy as np
import pytest

import bakeoff as bo
from bakeoff.errors import BakeoffError, ParameterError, ScoreError, StoreError, UnknownNameError
from bakeoff.wings.run.verification import verify_store

PROBLEMS = {f"t{g:02d}_f{i}": g for g in range(20) for i in range(3)}
PATTERN = r"(t\d+)_"


class Noisy:
    def __init__(self, mean: float) -> None:
        self.mean = mean

    def __call__(self, problem: int, rng: np.random.Generator) -> float:
        return float(rng.normal(self.mean))


ALGORITHMS = {"a": Noisy(0.0), "b": Noisy(1.0), "c": Noisy(1.5)}


def experiment(clusters: object = PATTERN, algorithms: object = None, **more: object) -> bo.Experiment:
    return bo.Experiment(algorithms or ALGORITHMS, PROBLEMS, better="lower", seed=1, clusters=clusters, **more)


@pytest.mark.slow
def test_a_race_runs_whole_clusters_resumes_and_verifies(tmp_path: Path) -> None:
    store = tmp_path / "race.sqlite"
    part = bo.race(experiment(), store=store, budget=60)
    assert (part.n_clusters, part.n_problems, part.stopped) == (5, 15, "budget")
    groups = [name[:3] for name in part.problems]
    assert groups == [name for name in dict.fromkeys(groups) for _ in range(3)]
    whole = bo.race(experiment(), store=store)
    assert whole.n_available_clusters == 20
    assert whole.digest == bo.race(experiment()).digest
    assert "the clusters are independent draws" in whole.guarantee
    assert verify_store(store).findings == ()


@pytest.mark.slow
def test_changed_clusters_are_refused(tmp_path: Path) -> None:
    store = tmp_path / "race.sqlite"
    bo.race(experiment(), store=store, budget=60)
    other = {name: "x" if name.startswith("t00") else name[:3] for name in PROBLEMS}
    with pytest.raises(StoreError, match=r"clusters\.t00_f0 is"):
        bo.race(experiment(other), store=store)
    with pytest.raises(StoreError, match="clusters is"):
        bo.race(experiment(None), store=store)
    bo.race(experiment({name: name[:3] for name in PROBLEMS}), store=store)  # the same, written otherwise


def test_an_experiment_without_clusters_is_described_as_before() -> None:
    assert '"clusters":' not in experiment(None).spec_json
    alone = bo.race(experiment({name: name for name in PROBLEMS}))
    assert alone.n_clusters is None  # every problem is a cluster of its own


@pytest.mark.slow
def test_late_candidates_join_between_clusters(tmp_path: Path) -> None:
    store = tmp_path / "late.sqlite"
    two = {"a": Noisy(0.0), "b": Noisy(0.0)}
    bo.race(experiment(algorithms=two), store=store, budget=50)
    result = bo.race(experiment(algorithms=two | {"z": Noisy(0.2)}), store=store)
    assert "'z' after 5 clusters" in "".join(c.text for c in result.cautions if c.code == "late-candidates")
    assert verify_store(store).findings == ()


def test_the_test_of_a_run_takes_clusters_as_rows() -> None:
    result = bo.run(experiment(test="wilcoxon"))
    assert result.scores.clusters == tuple(name[:3] for name in result.scores.problems)
    assert result.analysis.n_problems == 20
    assert "averaged (clusters)" in {c.name for c in result.analysis.cautions}
    means = [result.scores.values[3 * g : 3 * g + 3].mean(axis=0) for g in range(20)]
    pair = result.analysis.pairs[0]
    assert pair.pvalue == pytest.approx(bo.wilcoxon(bo.Scores(means, better="lower"), 0, 1).pvalue)


def test_toml(tmp_path: Path) -> None:
    file = tmp_path / "e.toml"
    text = (
        'better = "lower"\nseed = 1\ncluster = "(.*)_d[0-9]+"\n[algorithms]\na = "./a {instance}"\nb = "./b {instance}"'
    )
    values = "\n[problems.values]\nsphere_d2 = 1\nsphere_d10 = 2\nridge_d2 = 3\n"
    file.write_text(text + values)
    assert bo.Experiment.from_toml(file).clusters == ("sphere", "sphere", "ridge")
    table = '\n[cluster]\nsphere_d2 = "s"\nsphere_d10 = "s"\nridge_d2 = "r"\n'
    file.write_text(text.replace('cluster = "(.*)_d[0-9]+"\n', "") + values + table)
    assert bo.Experiment.from_toml(file).clusters == ("s", "s", "r")


@pytest.mark.parametrize(
    ("clusters", "error", "match"),
    [
        ("(", ParameterError, "regular expression"),
        ("x", ParameterError, "matches nothing"),
        (["t00"], ScoreError, "1 labels? for 60"),
        ({"t99": "t"}, UnknownNameError, "t99"),
        ({"t00_f0": "t00"}, ScoreError, "t00_f1"),
    ],
)
def test_mistakes(clusters: object, error: type[BakeoffError], match: str) -> None:
    with pytest.raises(error, match=match):
        experiment(clusters)


def test_what_draws_or_looks_at_single_problems_is_refused() -> None:
    with pytest.raises(ParameterError, match="sequential"):
        experiment(sequential="group", effect_size=0.5)
    with pytest.raises(ParameterError, match="n_problems"):
        experiment(n_problems=10)
