"""The planning functions agree with each other, say what they promise, and refuse what makes no sense."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import itertools
import math
import pickle

import numpy as np
import pytest

import bakeoff as bo
from bakeoff.errors import ParameterError, TooLargeError
from bakeoff.plan.power_models.wilcoxon import draws
from strategies import check_result

plan = bo.plan
TESTS = ("t", "wilcoxon", "sign", "friedman")
FAST = [("t", None), ("wilcoxon", "exact-variance"), ("wilcoxon", "noether"), ("sign", None), ("friedman", None)]


@pytest.mark.few(5)
@pytest.mark.parametrize(("test", "method"), FAST)
@pytest.mark.parametrize("k", [2, 4])
@pytest.mark.parametrize("target", ["worst", "mean", "median"])
def test_n_is_the_smallest_and_detectable_its_inverse(test: str, method: str | None, k: int, target: str) -> None:
    options = {"test": test, "method": method, "n_algorithms": k, "target": target}
    for effect in (0.35, 0.8, 1.4):
        found = plan.instances(effect, **options)
        assert found.power == plan.power(found.n, effect, **options) >= 0.8
        if found.n_first > 1:
            assert plan.power(found.n_first - 1, effect, **options) < 0.8
        if found.n > found.n_first:
            assert plan.power(found.n - 1, effect, **options) < 0.8
        seen = plan.detectable(found.n, **options)
        assert seen <= effect
        assert plan.power(found.n, seen, **options) == pytest.approx(0.8, abs=1e-9)


@pytest.mark.slow
def test_simulated_plans_agree_with_themselves() -> None:
    found = plan.instances(0.9, test="wilcoxon")
    assert (
        found.power == plan.power(found.n, 0.9, test="wilcoxon") >= 0.8 > plan.power(found.n - 1, 0.9, test="wilcoxon")
    )
    seen = plan.detectable(found.n, test="wilcoxon")
    assert seen < 0.9
    assert plan.power(found.n, seen, test="wilcoxon") == pytest.approx(0.8, abs=1e-3)


@pytest.mark.parametrize(("test", "method"), FAST)
def test_alpha_is_the_inverse_too(test: str, method: str | None) -> None:
    alpha = plan.significance(30, 0.6, power=0.85, test=test, method=method)
    assert plan.power(30, 0.6, alpha * (1 + 1e-9), test=test, method=method) >= 0.85
    assert plan.power(30, 0.6, alpha * (1 - 1e-6), test=test, method=method) < 0.85


def test_the_alpha_of_a_sign_test_is_one_of_its_levels() -> None:
    levels = [2 * sum(math.comb(12, i) for i in range(c + 1)) / 2**12 for c in range(6)]
    alpha = plan.significance(12, 1.0, test="sign")
    assert min(abs(alpha / level - 1) for level in levels) < 1e-9


@pytest.mark.slow
def test_a_plan_is_a_value() -> None:
    for test in TESTS:
        found = plan.instances(1.2, test=test, n_algorithms=3)
        check_result(found)
        again = pickle.loads(pickle.dumps(found))
        assert again.profile.tolist() == found.profile.tolist() == copy.deepcopy(found).profile.tolist()
        assert not hasattr(found, "__dict__")
        assert not found.profile.flags.writeable
        with pytest.raises(dataclasses.FrozenInstanceError):
            found.n = 3  # type: ignore[misc]
    check_result(plan.curve(20))


@pytest.mark.slow
def test_sides() -> None:
    greater = plan.instances(0.5, alternative="greater")
    assert plan.instances(-0.5, alternative="less").n == greater.n == plan.instances(-0.5, alternative="one-sided").n
    assert plan.instances(-0.5).n == plan.instances(0.5).n
    assert plan.detectable(20, alternative="less") == -plan.detectable(20, alternative="greater")
    for test in ("t", "sign", "wilcoxon"):
        assert plan.power(8, -0.5, alternative="greater", test=test) < 0.05
        assert plan.power(8, 0.5, alternative="less", test=test) < 0.05
    assert plan.power(20, -0.5, alternative="less") == plan.power(20, 0.5, alternative="greater")


def test_comparisons_with_a_control_are_fewer() -> None:
    pairs, control = plan.instances(0.5, n_algorithms=6), plan.instances(0.5, n_algorithms=6, comparisons="control")
    assert (pairs.n_comparisons, control.n_comparisons) == (15, 5)
    assert control.n == plan.instances(0.5, 0.01).n < pairs.n


def test_promises_say_what_is_and_what_is_not_promised() -> None:
    worst = plan.instances(0.5, n_algorithms=4)
    assert "each comparison with" in worst.promise
    assert "not promised" in worst.promise
    for target in ("mean", "median"):
        found = plan.instances(0.5, n_algorithms=4, target=target)
        assert "not promised" in found.promise
        assert f"{found.profile[0]:.3f} only" in found.promise
        assert [c.code for c in found.cautions] == ["average-power"]
    assert plan.instances(0.5).promise == (
        "With 34 problems and normal differences a paired t-test at alpha = 0.05 detects a true effect of 0.5 standard "
        "deviations of the differences (d) with probability 0.808."
    )
    assert "does not promise that any particular pair" in plan.instances([0, 0, 1], test="friedman").promise


def test_cautions() -> None:
    quick = {"wilcoxon": "exact-variance"}
    codes = {
        t: [c.code for c in plan.instances(0.5, test=t, method=quick.get(t), n_algorithms=3).cautions] for t in TESTS
    }
    assert codes == {
        "t": [],
        "wilcoxon": ["symmetric-differences"],
        "sign": ["win-probability"],
        "friedman": ["omnibus-only"],
    }
    assert [c.code for c in plan.instances(2.5).cautions] == ["too-few"]
    assert "0.6915" in plan.instances(0.5, test="sign").cautions[0].text


@pytest.mark.slow
def test_simulation_is_seeded_and_does_not_depend_on_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    level = np.array([0.05])
    first = draws(12, 0.8, (1, 2), 30_000)
    draws.cache_clear()
    monkeypatch.setattr("os.cpu_count", lambda: 1)
    again = draws(12, 0.8, (1, 2), 30_000)
    assert first.sums.tolist() == again.sums.tolist()
    assert first.powers(level, False).tolist() == again.powers(level, False).tolist()
    other = draws(12, 0.8, (1, 3), 30_000)
    assert other.sums.tolist() != first.sums.tolist()
    a, b, c = (plan.power(9, 1.0, test="wilcoxon", rng=rng) for rng in (None, 0, np.random.default_rng(0)))
    assert a == b == c != plan.power(9, 1.0, test="wilcoxon", rng=1)


@pytest.mark.slow
def test_small_and_large_sizes() -> None:
    assert plan.power(1, 5.0, test="wilcoxon") == plan.power(5, 5.0, test="wilcoxon") == 0.0  # 2/2⁵ > 0.05
    assert plan.power(6, 50.0, test="wilcoxon") == 1.0
    assert plan.power(1, 5.0, test="sign") == 0.0
    assert plan.power(2, 1e6) == pytest.approx(1.0)
    assert plan.instances(50.0, test="sign").n == 6
    assert plan.instances(50.0).n == 2
    large = plan.instances(0.1, test="wilcoxon")
    assert large.method == "exact-variance"
    assert 800 < large.n < 830
    assert plan.instances(1e-4).n == pytest.approx(7.8489e8, rel=1e-4)
    assert plan.power(10**6, 1.0, test="friedman", n_algorithms=5) == 1.0
    assert plan.instances(0.5, 1e-12).power >= 0.8


@pytest.mark.parametrize("n", [1, 2, 7, 40])
def test_the_moment_law_is_close_where_there_is_no_effect(n: int) -> None:
    """Size of the exact test: at most alpha, up to the normal approximation."""
    assert plan.power(n, 1e-12, test="wilcoxon", method="exact-variance") <= 0.05 + 0.005
    assert plan.power(n, 1e-12, test="sign") <= 0.05 + 1e-12


@pytest.mark.few(2)
@pytest.mark.parametrize("test", ["t", "sign", "friedman", "wilcoxon"])
def test_extreme_questions_have_numbers_for_answers(test: str) -> None:
    method = "exact-variance" if test == "wilcoxon" else None
    for n, d, alpha in itertools.product((2, 3, 10, 1000), (1e-6, 0.5, 20, 1e6, 1e50), (1e-100, 1e-8, 0.05, 0.999)):
        power = plan.power(n, d, alpha, test=test, method=method)
        assert 0 <= power <= 1, (n, d, alpha)
    assert plan.power(10**12, 0.0 + 1e-300, test="t") == pytest.approx(0.05, rel=1e-9)
    assert plan.detectable(2, alpha=1e-12) > 1e10


BAD = [
    ({"effect_size": 0}, "effect_size must be a finite number other than 0"),
    ({"effect_size": math.nan}, "effect_size"),
    ({"effect_size": math.inf}, "effect_size"),
    ({"effect_size": "big"}, "effect_size"),
    ({"effect_size": True}, "effect_size"),
    ({"effect_size": [0.1, 0.2]}, "effect_size"),
    ({"effect_size": [1, 1, 1], "test": "friedman"}, "not all equal"),
    ({"effect_size": [1, math.nan], "test": "friedman"}, "finite means"),
    ({"effect_size": [0, 0, 1], "test": "friedman", "n_algorithms": 4}, "n_algorithms=4"),
    ({"effect_size": 1e200}, "at most"),
    ({"alpha": 0}, "alpha must be"),
    ({"alpha": 1e-200}, "1e-100 or more"),
    ({"alpha": 1.5}, "alpha must be"),
    ({"power": 1}, "power must be"),
    ({"power": 0.04}, "larger than alpha"),
    ({"alternative": "both"}, "alternative must be one of"),
    ({"effect_size": -0.5, "alternative": "greater"}, "looks the other way"),
    ({"effect_size": 0.5, "alternative": "less"}, "looks the other way"),
    ({"test": "welch"}, "test must be one of"),
    ({"test": "friedman", "alternative": "greater"}, "two-sided"),
    ({"method": "are"}, "method must be one of 'exact'"),
    ({"test": "wilcoxon", "method": "exact"}, "simulation"),
    ({"n_algorithms": 1}, "n_algorithms must be"),
    ({"n_algorithms": 2.5}, "n_algorithms must be"),
    ({"n_algorithms": 1000}, "between 2 and 100"),
    ({"comparisons": "some"}, "comparisons must be one of"),
    ({"target": "all"}, "target must be one of"),
    ({"rng": "seed"}, "rng must be"),
]


@pytest.mark.parametrize(("given", "words"), BAD)
def test_bad_questions_are_refused_by_name(given: dict[str, object], words: str) -> None:
    with pytest.raises(ParameterError, match=words):
        plan.instances(**{"effect_size": 0.5, **given})


@pytest.mark.slow
def test_other_refusals() -> None:
    for n in (0, -3, 1.5, "ten", True, 2**60):
        with pytest.raises(ParameterError, match="n must be a whole number"):
            plan.power(n, 0.5)
    with pytest.raises(ParameterError, match="below 6 problems"):
        plan.detectable(5, test="sign")
    with pytest.raises(ParameterError, match=r"below 7 problems.*alpha/3"):
        plan.detectable(6, test="wilcoxon", n_algorithms=3)
    with pytest.raises(TooLargeError, match="effect_size is so small"):
        plan.instances(1e-4, test="sign")
    with pytest.raises(TooLargeError, match="effect_size is so small"):
        plan.instances(1e-12)
    with pytest.raises(ParameterError, match="both given"):
        plan.curve(n=10, effect_size=0.5)
    for values in ([-1.0], [], [[1.0]], ["x"], [math.nan]):
        with pytest.raises(ParameterError, match="values must be"):
            plan.curve(n=10, values=values)
    with pytest.raises(ParameterError, match="whole numbers of problems"):
        plan.curve(effect_size=0.5, values=[10.5])
    with pytest.raises(ParameterError, match="one number for a curve"):
        plan.curve(effect_size=[0, 1], test="friedman")
    with pytest.raises(TooLargeError, match="cannot be missed"):
        plan.significance(10**6, 5.0)


@pytest.mark.slow
def test_curves_pass_through_their_plans() -> None:
    for test in ("t", "sign", "friedman"):
        by_effect = plan.curve(n=25, test=test)
        assert by_effect.x[0] == 0
        assert by_effect.y[-1] == pytest.approx(0.995, abs=1e-9)
        assert by_effect.mark == pytest.approx((plan.detectable(25, test=test), 0.8))
        assert np.all(np.diff(by_effect.y) >= -1e-12)
        by_size = plan.curve(effect_size=0.7, test=test)
        assert by_size.mark is not None
        assert by_size.mark[0] == plan.instances(0.7, test=test).n
        assert not by_size.y.flags.writeable
    found = plan.curve(test="sign", n_algorithms=3, values=[20, 40, 40])
    assert found.x.tolist() == [20, 40]
    assert found.y.tolist() == [plan.detectable(n, test="sign", n_algorithms=3) for n in (20, 40)]
    assert found.mark is None
    drawn = plan.curve(n=9, test="wilcoxon", values=[0.8])
    assert drawn.method == "simulation"
    assert drawn.y == pytest.approx([plan.power(9, 0.8, test="wilcoxon")], abs=0.01)


# The contract: other people's scripts rely on these names, their order and their defaults.
SIGNATURES = {
    "instances": "effect_size=None, alpha=0.05, power=0.8, alternative='two-sided', test='t', n_algorithms=2, "
    "comparisons='all-pairs', target='worst', method=None, rng=None, margin=None, claim=None, "
    "cluster_size=None, icc=None, cluster_cv=0.0",
    "power": "n, effect_size=None, alpha=0.05, alternative='two-sided', test='t', n_algorithms=2, "
    "comparisons='all-pairs', target='worst', method=None, rng=None, margin=None, claim=None, "
    "cluster_size=None, icc=None, cluster_cv=0.0",
    "detectable": "n, power=0.8, alpha=0.05, alternative='two-sided', test='t', n_algorithms=2, "
    "comparisons='all-pairs', target='worst', method=None, rng=None, cluster_size=None, icc=None, cluster_cv=0.0",
    "significance": "n, effect_size, power=0.8, alternative='two-sided', test='t', n_algorithms=2, "
    "comparisons='all-pairs', target='worst', method=None, rng=None, cluster_size=None, icc=None, cluster_cv=0.0",
    "repetitions": "scores, wanted_se, control=None, difference='simple', form='corrected', min_runs=20",
    "variance_components": "scores, a, b, difference='simple', form='corrected'",
}


@pytest.mark.parametrize("name", SIGNATURES)
def test_signatures_keep_the_contract(name: str) -> None:
    parameters = inspect.signature(getattr(plan, name)).parameters.values()
    shown = [p.name if p.default is p.empty else f"{p.name}={p.default!r}" for p in parameters]
    assert ", ".join(shown) == SIGNATURES[name]
