"""Metrics of predictions: by scikit-learn, by each item's weight moved a little, and by leaving one item out."""

from collections.abc import Callable

import numpy as np
import pytest

from bakeoff.predictions.metrics import METRICS, placements
from bakeoff.scores.predicted import ATANH, LOG, LOGIT

CLASSES = ("accuracy", "balanced-accuracy", "precision", "recall", "f1", "mcc")
ORDER = ("auc", "average-precision")
NUMBERS = ("r2", "pearson", "spearman")
STEP = 1e-6


def drawn(name: str, rng: np.random.Generator, n: int = 60) -> tuple[np.ndarray, np.ndarray]:
    """Truth and prediction with ties."""
    if name in CLASSES:
        truth = rng.integers(0, 3, n)
        return truth, np.where(rng.random(n) < 0.6, truth, rng.integers(0, 3, n))
    if name in ORDER:
        truth = rng.permutation(np.repeat([1.0, 0.0], [n // 4, n - n // 4]))
        return truth, np.round(rng.normal(size=n) + truth, 1)
    truth = np.round(rng.normal(size=n), 1)
    return truth, np.round(truth + rng.normal(size=n), 1)


def pearson_of(y: np.ndarray, p: np.ndarray, w: np.ndarray) -> float:
    y, p = (x - w @ x / w.sum() for x in (y, p))
    return float((w @ (y * p)) / np.sqrt((w @ y**2) * (w @ p**2)))


def ranks_of(x: np.ndarray, w: np.ndarray) -> np.ndarray:
    return np.array([w[x < value].sum() + w[x == value].sum() / 2 for value in x])


def weighted(name: str) -> Callable[[np.ndarray, np.ndarray, np.ndarray], float]:
    """The metric of weighted items, by another program or by its definition."""
    from sklearn import metrics as sk

    return {
        "accuracy": lambda y, p, w: sk.accuracy_score(y, p, sample_weight=w),
        "balanced-accuracy": lambda y, p, w: sk.balanced_accuracy_score(y, p, sample_weight=w),
        "precision": lambda y, p, w: sk.precision_score(y, p, average="macro", sample_weight=w),
        "recall": lambda y, p, w: sk.recall_score(y, p, average="macro", sample_weight=w),
        "f1": lambda y, p, w: sk.f1_score(y, p, average="macro", sample_weight=w),
        "mcc": lambda y, p, w: sk.matthews_corrcoef(y, p, sample_weight=w),
        "auc": lambda y, p, w: sk.roc_auc_score(y, p, sample_weight=w),
        "average-precision": lambda y, p, w: sk.average_precision_score(y, p, sample_weight=w),
        "r2": lambda y, p, w: sk.r2_score(y, p, sample_weight=w),
        "pearson": pearson_of,
        "spearman": lambda y, p, w: pearson_of(ranks_of(y, w), ranks_of(p, w), w),
    }[name]


@pytest.mark.needs("sklearn")
@pytest.mark.parametrize("name", [*CLASSES, *ORDER, *NUMBERS])
def test_the_mean_is_the_metric_and_each_value_its_slope(name: str) -> None:
    of = weighted(name)
    for seed in range(2):
        y, p = drawn(name, np.random.default_rng(seed))
        values = METRICS[name].values(y, p, None)
        theta = of(y, p, np.ones(len(y)))
        assert values.mean() == pytest.approx(theta, abs=1e-13)
        if name == "accuracy":  # the score of an item, and no slope
            continue
        for i in range(0, len(y), 4):
            up, down = np.ones(len(y)), np.ones(len(y))
            up[i], down[i] = 1 + STEP, 1 - STEP
            slope = (of(y, p, up) - of(y, p, down)) / (2 * STEP)
            assert values[i] - theta == pytest.approx(len(y) * slope, abs=1e-6)


@pytest.mark.needs("sklearn")
@pytest.mark.parametrize("name", ["precision", "recall", "f1"])
def test_one_class(name: str) -> None:
    from sklearn import metrics as sk

    of = {"precision": sk.precision_score, "recall": sk.recall_score, "f1": sk.f1_score}[name]
    y, p = drawn(name, np.random.default_rng(3))
    for c in range(3):
        assert METRICS[name].values(y, p, c).mean() == pytest.approx(of(y == c, p == c), abs=1e-14)


@pytest.mark.needs("sklearn")
def test_means_over_items() -> None:
    from sklearn import metrics as sk

    rng = np.random.default_rng(4)
    y, p = rng.integers(0, 2, 50).astype(float), rng.random(50)
    assert METRICS["log-loss"].values(y, p, None).mean() == pytest.approx(sk.log_loss(y, p))
    assert METRICS["brier"].values(y, p, None).mean() == pytest.approx(sk.brier_score_loss(y, p))
    y = rng.normal(size=50) + 3
    for name, of in (
        ("abs-error", sk.mean_absolute_error),
        ("squared-error", sk.mean_squared_error),
        ("ape", sk.mean_absolute_percentage_error),
    ):
        assert METRICS[name].values(y, p, None).mean() == pytest.approx(of(y, p))
    assert METRICS["pinball"].values(y, p, 0.9).mean() == pytest.approx(sk.mean_pinball_loss(y, p, alpha=0.9))


@pytest.mark.parametrize("name", [*CLASSES[1:], *ORDER, *NUMBERS])
def test_the_error_is_nearly_that_of_the_jackknife(name: str) -> None:
    """n θ − (n − 1) θ without item i, by the function itself: another route to the same error, of order 1/n."""
    y, p = drawn(name, np.random.default_rng(5), n=400)
    of, n = METRICS[name].values, len(y)
    slow = [n * of(y, p, None).mean() - (n - 1) * of(np.delete(y, i), np.delete(p, i), None).mean() for i in range(n)]
    assert np.std(of(y, p, None)) == pytest.approx(np.std(slow), rel=0.04)


def test_placements_count_pairs() -> None:
    rng = np.random.default_rng(6)
    for _ in range(200):
        x, y = (rng.integers(0, 6, int(rng.integers(1, 9))).astype(float) for _ in range(2))
        above = (x[:, None] > y) + 0.5 * (x[:, None] == y)
        v10, v01 = placements(x, y)
        assert v10.tolist() == pytest.approx(above.mean(axis=1).tolist(), abs=1e-15)
        assert v01.tolist() == pytest.approx(above.mean(axis=0).tolist(), abs=1e-15)


def test_what_cannot_be_divided_is_zero_and_does_not_vary() -> None:
    y, p = np.array([0, 0, 1, 1, 1]), np.zeros(5, dtype=int)
    for name in ("precision", "f1", "recall"):
        assert METRICS[name].values(y, p, 1).tolist() == [0.0] * 5
    assert METRICS["mcc"].values(y, p, None).tolist() == [0.0] * 5
    apart = METRICS["auc"].values(np.array([1.0, 1, 0, 0, 0]), np.array([3.0, 2, 1, 0, 1]), None)
    assert apart.tolist() == [1.0] * 5


def test_scales_return_and_stay_inside() -> None:
    for scale, inside in ((LOGIT, (0.03, 0.5, 0.98)), (ATANH, (-0.9, 0.0, 0.98)), (LOG, (-3.0, 0.2, 0.98))):
        for x in inside:
            assert scale.back(scale.there(x)) == pytest.approx(x)
            step = 1e-6
            slope = (scale.there(x + step) - scale.there(x - step)) / (2 * step)
            assert slope == pytest.approx(scale.slope(x), rel=1e-5)
            low, high = scale.interval(x, 0.2, 9.0, 0.05)
            assert scale.low < low < x < high <= scale.high
        assert scale.interval(1.0, 0.0, 9.0, 0.05) == (scale.low, scale.high)
