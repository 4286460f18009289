"""How many runs a problem gets, against vectors and traces computed by hand from the published rule.

Provenance: Campelo & Takahashi (2019), Algorithm 1 with (12), (15) and (17); the corrected form of the percent
difference is the delta method (docs/trust/errata.md, F15). Standard errors and ratios of the vectors were cross-checked
with the R package CAISEr 1.0.17 (calc_se), whose all.vs.first percent form is the corrected one.
"""

from __future__ import annotations

import math

import pytest

from bakeoff.errors import ParameterError
from bakeoff.plan.pilots import error_terms, moments
from bakeoff.wings.run.design.settings import Repetitions
from bakeoff.wings.run.schedulers import AdaptiveRuns, FixedRuns, SchedulingDecision

A = [5, 9, 4, 8, 6, 7, 3, 10, 5, 8, 6, 9, 4, 7, 8, 5, 6, 9, 7, 4]
B = [6, 7, 6, 8, 7, 6, 7, 8, 7, 6, 7, 8, 6, 7, 7, 8, 6, 7, 6, 8]
X = [[1.0, 2.0, 3.0, 4.5], [2.0, 3.0, 5.0, 7.0, 8.0], [4.0, 4.0, 5.0, 6.0]]


def follow(streams: list[list[float]], **settings: object) -> tuple[str, list[int], SchedulingDecision]:
    """Feed a scheduler until it stops: the path after the first n0 runs (batches by |), counts, the last decision."""
    asked = Repetitions(**settings)  # type: ignore[arg-type]
    names = tuple("abcdefgh"[: len(streams)])
    scheduler = AdaptiveRuns(repetitions=asked, algorithms=names, seed=1)
    counts, path = [0] * len(streams), []
    while True:
        decision = scheduler.decide("p", [s[:n] for s, n in zip(streams, counts, strict=True)])
        assert decision.counts == tuple(counts)
        if decision.done:
            return "|".join(path[1:]), counts, decision
        path.append("".join(str(k + 1) for k in decision.plan))
        for k in decision.plan:
            counts[k] += 1


# n0 = 3, nmax = 30; path, final counts, se by hand (spreadsheet), checked with CAISEr's calc_se on the final samples
TRACES = [
    ({"se": 0.7, "batch": 1}, "1111111112211", (14, 5), 0.683318, "accuracy"),
    ({"se": 0.7, "batch": 4}, "1111|1111|12|2211", (14, 6), 0.661842, "accuracy"),
    ({"se": 0.1, "batch": 1, "differences": "percent"}, "111111111221121", (15, 6), 0.097064, "accuracy"),
    (
        {"se": 0.1, "batch": 1, "differences": "percent", "method": "paper"},
        "111111111221121",
        (15, 6),
        0.096361,
        "accuracy",
    ),
    ({"se": 0.7, "batch": 1, "nmax": 10}, "1111", (7, 3), 0.881917, "budget"),
]


@pytest.mark.parametrize(("settings", "path", "counts", "se", "reason"), TRACES)
def test_golden_traces(settings: dict[str, object], path: str, counts: tuple[int, int], se: float, reason: str) -> None:
    found, n, last = follow([list(map(float, A)), list(map(float, B))], **{"n0": 3, "nmax": 30, **settings})
    assert (found if "|" in path else found.replace("|", "")) == path
    assert tuple(n) == counts
    assert last.reason == reason
    assert last.standard_error == pytest.approx(se, abs=5e-7)


def precision(streams: list[list[float]], **settings: object) -> SchedulingDecision:
    """The differences and standard errors that a decision on these runs rests on."""
    n0 = min(map(len, streams))
    asked = Repetitions(se=1e-9, nmax=10**6, n0=n0, **settings)  # type: ignore[arg-type]
    return AdaptiveRuns(repetitions=asked, algorithms=tuple("abc"[: len(streams)]), seed=1).decide("p", streams)


def test_golden_vectors_simple() -> None:
    found = precision(X)
    assert found.standard_errors == pytest.approx((1.36282488, 0.88682486, 1.23659479), abs=5e-9)
    terms = error_terms(*moments(X)[:2])
    ratios = [first / second for first, second in map(terms.within, range(2))]
    assert ratios == pytest.approx([0.58561824, 1.55942880], abs=5e-9)


def test_golden_vectors_percent_against_the_first() -> None:
    found = precision(X, differences="percent", comparisons="control")
    assert found.differences == pytest.approx((0.90476190, 0.80952381), abs=5e-9)
    assert found.standard_errors == pytest.approx((0.69432894, 0.54596595), abs=5e-9)
    paper = precision(X, differences="percent", comparisons="control", method="paper")
    assert paper.standard_errors == pytest.approx((0.57943437, 0.40882201), abs=5e-9)


def test_golden_vectors_percent_of_all_pairs() -> None:
    """The covariance of a pair with the mean of all is kept; CAISEr drops it (.33714773 .22323854 .29986401)."""
    found = precision(X, differences="percent")
    assert found.standard_errors == pytest.approx((0.31131107, 0.23760923, 0.29559381), abs=5e-9)


def test_two_algorithms_are_the_first_of_three_rules() -> None:
    """Between two, allocation by pair and by optimum are Algorithm 1."""
    streams = [list(map(float, A)), list(map(float, B))]
    for batch in (1, 8):
        one = follow(streams, se=0.7, nmax=30, n0=3, batch=batch, allocation="pair")
        other = follow(streams, se=0.7, nmax=30, n0=3, batch=batch, allocation="optimal")
        assert one == other


def test_a_tie_goes_to_the_second_algorithm() -> None:
    """Algorithm 1, line 9, is strict: n₁/n₂ < r; with equal spreads and counts the second is sampled."""
    same = [1.0, 2.0, 3.0, 4.0] * 3
    path, *_ = follow([same, same], se=0.1, nmax=8, n0=3, batch=1)
    assert path == "2|1"


def test_accuracy_is_looked_at_before_the_budget() -> None:
    one, two = [1.0, 2.0, 3.0], [1.5, 2.5, 3.5]
    assert follow([one, two], se=10.0, nmax=6, n0=3)[2].reason == "accuracy"
    assert follow([one, two], se=0.01, nmax=6, n0=3)[2].reason == "budget"


def test_equal_runs_stop_and_are_called_so() -> None:
    last = follow([[3.0] * 9, [4.0] * 9], se=0.1, nmax=18, n0=3)[2]
    assert (last.reason, last.standard_error, last.differences) == ("degenerate", 0.0, (1.0,))


def test_equal_runs_of_0_and_1_go_on_until_the_target_is_reached() -> None:
    """Of problems with p = .002 and .02, 375 of 600 stopped after 40 runs with a standard error and a difference of 0.

    The standard error of s successes in n runs is that of s + 1 in n + 2 (Agresti & Caffo, 2000).
    """
    last = follow([[0.0] * 400, [0.0] * 400], se=0.02, nmax=400, n0=20)[2]
    assert (last.reason, last.differences) == ("accuracy", (0.0,))
    assert last.standard_error == pytest.approx(math.sqrt(sum((n + 1) / (n + 2) ** 3 for n in last.counts)))
    assert last.standard_error <= 0.02 < math.sqrt(sum((n - 1) / n**3 for n in last.counts))
    spent = follow([[0.0] * 400, [1.0] * 400], se=0.001, nmax=400, n0=20)[2]
    assert (spent.reason, spent.differences, sum(spent.counts)) == ("budget", (1.0,), 400)
    boot = follow([[0.0] * 400, [0.0] * 400], se=0.02, nmax=400, n0=20, method="bootstrap")[2]
    assert boot.standard_error == last.standard_error


def test_only_the_algorithm_that_varies_is_sampled() -> None:
    noise = [1.0, 5.0, 3.0, 4.0, 0.0, 2.0, 6.0, 3.0, 2.0]
    assert set(follow([[3.0] * 9, noise], se=0.1, nmax=12, n0=3)[0]) <= set("2|")
    assert set(follow([noise, [3.0] * 9], se=0.1, nmax=12, n0=3)[0]) <= set("1|")


def test_percent_of_a_mean_that_is_not_positive_is_no_estimate() -> None:
    last = follow([[-3.0, -2.0, -1.0], [1.0, 2.0, 3.0]], se=0.1, nmax=12, n0=3, differences="percent")[2]
    assert last.reason == "error"
    assert "positive mean" in last.detail
    assert last.differences == ()


@pytest.mark.parametrize("k", [2, 3, 5])
def test_balanced_never_exceeds_the_budget(k: int) -> None:
    """CAISEr's balanced mode goes beyond nmax by up to K − 1."""
    streams = [[float((7 * i * (j + 2)) % 11) for i in range(40)] for j in range(k)]
    for nmax in range(3 * k, 3 * k + 2 * k):
        _, counts, last = follow(streams, se=0.01, nmax=nmax, n0=3, balanced=True)
        assert last.reason == "budget"
        assert len(set(counts)) == 1
        assert nmax - k < sum(counts) <= nmax


def test_fixed_runs() -> None:
    scheduler = FixedRuns(runs=3, n_algorithms=2)
    assert scheduler.decide("p", [[], []]).plan == (0, 1, 0, 1, 0, 1)
    done = scheduler.decide("p", [[1.0, 2.0, 3.0], [3.0, 5.0, 7.0]])
    assert (done.reason, done.differences) == ("fixed", (3.0,))
    assert done.standard_error == pytest.approx(math.sqrt(1 / 3 + 4 / 3), rel=1e-15)


def test_fixed_runs_say_what_they_cannot_know() -> None:
    single = FixedRuns(runs=1, n_algorithms=2).decide("p", [[1.0], [3.0]])
    assert (single.differences, single.standard_errors, single.standard_error) == ((2.0,), (None,), None)
    infinite = FixedRuns(runs=2, n_algorithms=3).decide("p", [[1.0, 2.0], [math.inf, 3.0], [1.0, 1.0]])
    assert infinite.differences == (None, -0.5, None)
    assert infinite.standard_errors == (None, 0.5, None)


@pytest.mark.parametrize(
    ("settings", "word"),
    [
        ({"se": 0}, "se"),
        ({"se": float("nan")}, "se"),
        ({"se": 0.1, "nmax": 3}, "nmax"),
        ({"n0": 1}, "n0"),
        ({"batch": 0}, "batch"),
        ({"differences": "relative"}, "differences"),
        ({"method": "fieller"}, "method"),
        ({"statistic": "mode"}, "statistic"),
        ({"statistic": "median", "method": "corrected"}, "bootstrap"),
        ({"method": "paper"}, "percent"),
        ({"balanced": 1}, "balanced"),
        ({"control": 0}, "control"),
        ({"allocation": "best"}, "allocation"),
        ({"resamples": 10}, "resamples"),
    ],
)
def test_settings_are_checked_when_they_are_made(settings: dict[str, object], word: str) -> None:
    with pytest.raises((ParameterError, TypeError), match=word):
        Repetitions(**{"se": 0.1, "nmax": 100, **settings})  # type: ignore[arg-type]
