"""Plans for problems in clusters: n counts clusters, and the design effect has the published form."""

import json

import numpy as np
import pytest
from click.testing import CliRunner

import bakeoff as bo
from bakeoff.cli import main
from bakeoff.errors import ParameterError
from bakeoff.scores.clusters import design_effect


def test_extremes() -> None:
    alone = bo.plan.instances(0.5).n
    assert bo.plan.instances(0.5, cluster_size=1, icc=0.3).n == alone
    assert bo.plan.instances(0.5, cluster_size=10, icc=1).n == alone  # a cluster tells what one problem does
    independent = bo.plan.instances(0.5, cluster_size=10, icc=0).n  # the mean of ten: d is √10 times as large
    assert independent == bo.plan.instances(0.5 * 10**0.5).n


def test_design_effect_is_that_of_the_sizes() -> None:
    sizes = np.array([2, 4, 6, 8])
    codes = np.repeat(np.arange(4), sizes)
    cv = float(sizes.std() / sizes.mean())
    plan = bo.plan.instances(0.5, cluster_size=5, icc=0.4, cluster_cv=cv)
    assert plan.design_effect == pytest.approx(design_effect(codes, 0.4), rel=1e-12)
    assert bo.plan.instances(0.5, cluster_size=10, icc=0.5).design_effect == 5.5


@pytest.mark.parametrize("test", ["t", "sign", "wilcoxon"])
def test_power_effect_and_level_agree(test: str) -> None:
    inside = {"cluster_size": 8, "icc": 0.3, "test": test}
    method = {"method": "exact-variance"} if test == "wilcoxon" else {}
    effect = bo.plan.detectable(30, **inside, **method)
    assert bo.plan.power(30, effect, **inside, **method) == pytest.approx(0.8, abs=1e-6)
    worth = (0.3 + 0.7 / 8) ** -0.5
    alone = bo.plan.power(30, 0.4 * worth, test=test, **method)
    assert bo.plan.power(30, 0.4, **inside, **method) == pytest.approx(alone, rel=1e-12)
    assert bo.plan.curve(30, **inside, **method).mark[0] == pytest.approx(effect)


def test_friedman_scales_means() -> None:
    inside = {"cluster_size": 4, "icc": 0.25, "test": "friedman"}
    found = bo.plan.power(12, [0.0, 0.0, 0.7], **inside)
    scaled = np.array([0.0, 0.0, 0.7]) / (0.25 + 0.75 / 4) ** 0.5
    assert found == pytest.approx(bo.plan.power(12, scaled, test="friedman"), rel=1e-12)


@pytest.mark.slow
def test_sentences_say_clusters() -> None:
    plan = bo.plan.instances(0.5, cluster_size=10, icc=0.5)
    assert plan.promise.startswith(
        "With 20 clusters of 10 problems (intraclass correlation 0.5; worth 36.36 independent"
    )
    assert plan.unit == "cluster"
    done = CliRunner().invoke(main, ["plan", "--n", "35", "--cluster-size", "10", "--icc", "0.5"])
    assert done.exit_code == 0, done.output
    assert "35 clusters detect an effect of 0.362 or more" in " ".join(done.stdout.split())
    done = CliRunner().invoke(main, ["plan", "--effect", "0.5", "--cluster-size", "10", "--icc", "0.5", "--json"])
    assert json.loads(done.stdout)["cluster_size"] == 10


def test_mistakes() -> None:
    with pytest.raises(ParameterError, match="icc"):
        bo.plan.instances(0.5, cluster_size=10)
    with pytest.raises(ParameterError, match="cluster_size"):
        bo.plan.instances(0.5, icc=0.5)
    for wrong in ({"icc": 1.5}, {"icc": -0.1}, {"cluster_size": 0.5, "icc": 0.1}, {"icc": 0.1, "cluster_cv": -1}):
        with pytest.raises(ParameterError):
            bo.plan.instances(0.5, **({"cluster_size": 10} | wrong))
