"""What the contract tests share: tables to try, every public analysis by introspection, and what any result must be.

A new public function that takes ``scores`` is covered without a word: it is found in ``bakeoff.__all__`` and called
with the first two algorithms as ``a`` and ``b`` and the first one as ``control``.
"""

from __future__ import annotations

import dataclasses
import functools
import inspect
import math
import types
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from hypothesis import strategies as st

import bakeoff as bo

# Take differences of scores, so they refuse infinite ones; everything else orders them.
DIFFERENCES = {
    "wilcoxon",
    "paired_t",
    "sign_flip",
    "cluster_t",
    "aligned_friedman",
    "quade",
    "anova",
    "contrast_estimation",
    "rank_biserial",
    "dunnett",
    "tukey",
    "rank_aligned",
    "rank_weighted",
}
BINARY = {"mcnemar"}  # take scores of 0 and 1
OMNIBUS = ("iman-davenport", "friedman", "aligned", "quade", "anova")
PAIRWISE = ("mean-ranks", "aligned", "quade", "wilcoxon", "sign", "t")
CONTROL_METHODS = ("bonferroni", "sidak", "holm", "holland", "finner", "hochberg", "hommel", "rom", "rom-printed")
CONTROL_METHODS += ("li", "fdr-bh", "fdr-by")
PAIRWISE_METHODS = ("bonferroni", "holm", "hochberg", "hommel", "shaffer", "shaffer-dynamic", "bergmann-hommel")
VERDICTS = {"a better", "b better", "no difference shown", "cannot tell"}


def public_functions() -> dict[str, Callable[..., Any]]:
    """Every function of the public API by name."""
    return {name: thing for name in bo.__all__ if inspect.isfunction(thing := getattr(bo, name))}


# runs, a margin, two problems: tested in test_per_problem.py, test_resampled_t.py, test_equivalence.py,
# test_evaluate.py, test_runtimes.py and test_interquartile_mean.py
NEED_MORE = (
    "per_problem",
    "time_ratios",
    "change_points",
    "resampled_t",
    "equivalence",
    "sensitivity",
    "evaluate",
    "runtimes",
    "interquartile_mean",
    "leaderboard",
)


def analyses() -> dict[str, Callable[..., Any]]:
    """Every public function whose first parameter is ``scores``, as a function of scores (and keywords)."""
    return {
        name: _bound(function)
        for name, function in public_functions().items()
        if first_parameter(function) == "scores" and name not in NEED_MORE
    }


def binary(scores: bo.Scores) -> bo.Scores:
    """Wrong where a score is worse than the table's middle, whatever its direction."""
    wrong = scores.costs > np.median(scores.costs)
    return bo.Scores(wrong.astype(float), scores.algorithms, scores.problems, better="lower")


def first_parameter(function: Callable[..., Any]) -> str:
    return next(iter(inspect.signature(function).parameters))


def _bound(function: Callable[..., Any]) -> Callable[..., Any]:
    needed = [
        p.name
        for p in list(inspect.signature(function).parameters.values())[1:]
        if (p.default is inspect.Parameter.empty or p.name == "b") and p.kind is not inspect.Parameter.VAR_KEYWORD
    ]

    def call(scores: bo.Scores, **options: Any) -> Any:
        scores = binary(scores) if function.__name__ in BINARY else scores
        names = scores.algorithms
        chosen = {"a": names[0], "b": names[1], "control": names[0]}
        given = {name: chosen[name] for name in needed if name not in options}
        return function(scores, **given, **options)

    return call


def options_of(name: str) -> list[dict[str, Any]]:
    """Calls worth trying beside the defaults: one keyword set per documented alternative."""
    found: list[dict[str, Any]] = [{}]
    parameters = inspect.signature(getattr(bo, name)).parameters
    if "alternative" in parameters and name != "dunnett":
        found += [{"alternative": "greater"}, {"alternative": "less"}]
    if "ties" in parameters and name == "sign_test":
        found.append({"ties": "drop"})
    elif "ties" in parameters:
        found.append({"ties": "corrected" if parameters["ties"].default == "none" else "none"})
    if "zeros" in parameters:
        found += [{"zeros": "pratt"}, {"zeros": "drop"}]
    if name in ("sign_test", "wilcoxon"):
        found.append({"method": "normal"})
    if name == "sign_flip":
        found.append({"method": "permutation", "n_resamples": 99})
    if name in ("friedman", "aligned_friedman", "quade"):
        found += [{"method": "auto"}, {"method": "permutation", "n_resamples": 99}]
    if "relative" in parameters:
        found.append({"relative": True})
    return found


@st.composite
def tables(
    draw: st.DrawFn, min_n: int = 1, max_n: int = 9, min_k: int = 2, max_k: int = 5, taller: bool = False
) -> np.ndarray[Any, Any]:
    """(n, k) scores: decimals, heavy ties or wide magnitudes; ``taller`` keeps n apart from k and k − 1."""
    k = draw(st.integers(min_k, max_k))
    n = draw(st.integers(max(min_n, k + 1 if taller else 1), max(max_n, k + 1 if taller else 1)))
    cells = draw(
        st.sampled_from(
            [
                st.integers(0, 3).map(float),
                st.integers(-500, 500).map(lambda i: i / 100),
                st.integers(1, 10**6).map(lambda i: i / 1000),
                st.floats(-1e6, 1e6, allow_nan=False).map(lambda x: x + 0.0),
            ]
        )
    )
    return np.array(draw(st.lists(cells, min_size=n * k, max_size=n * k))).reshape(n, k)


directions = st.sampled_from(["lower", "higher"])


@st.composite
def scores(draw: st.DrawFn, **sizes: Any) -> bo.Scores:
    return bo.Scores(draw(tables(**sizes)), better=draw(directions))


def numbers_in(result: Any) -> Iterator[tuple[str, float]]:
    """Every number in a result, with the path to it; nested dataclasses, tuples, mappings and arrays included."""
    found: list[tuple[str, float]] = []
    _collect("result", result, found)
    return iter(found)


@functools.cache
def _fields(kind: type) -> tuple[str, ...]:
    """Of a dataclass; none of another type."""
    return tuple(f.name for f in dataclasses.fields(kind)) if dataclasses.is_dataclass(kind) else ()


def _collect(path: str, thing: Any, found: list[tuple[str, float]]) -> None:
    kind = type(thing)
    if kind is float or kind is int:
        found.append((path, float(thing)))
    elif thing is None or isinstance(thing, str | bytes | bool | bo.Scores):
        return
    elif isinstance(thing, int | float | np.number):
        found.append((path, float(thing)))
    elif isinstance(thing, np.ndarray):
        if thing.dtype.kind in "iufb":
            found.extend((f"{path}{list(at)}", float(x)) for at, x in np.ndenumerate(thing))
    elif names := _fields(kind):
        for name in names:
            _collect(f"{path}.{name}", getattr(thing, name), found)
    elif isinstance(thing, dict | types.MappingProxyType):
        for key, value in thing.items():
            _collect(f"{path}[{key!r}]", value, found)
    elif isinstance(thing, tuple | list):
        for i, value in enumerate(thing):
            _collect(f"{path}[{i}]", value, found)


def arrays_in(result: Any) -> Iterator[np.ndarray[Any, Any]]:
    if isinstance(result, np.ndarray):
        yield result
    elif not isinstance(result, bo.Scores):
        for name in _fields(type(result)):
            value = getattr(result, name)
            for part in value if isinstance(value, tuple) else (value,):
                if part is not None and not isinstance(part, str | float | int):
                    yield from arrays_in(part)


def check_result(result: Any) -> None:
    """No NaN anywhere, probabilities in [0, 1], logarithms that agree with them, locked arrays, cautions as data."""
    for path, x in numbers_in(result):
        assert not math.isnan(x), path
        if "log_pvalue" in path:
            assert x <= 0.0, path
        elif "pvalue" in path or ".adjusted[" in path:
            assert 0.0 <= x <= 1.0, path
    for array in arrays_in(result):
        assert not array.flags.writeable
    _check_logarithms(result)
    for caution in getattr(result, "cautions", ()):
        assert isinstance(caution, bo.Caution)
        assert caution.code
        assert caution.text


def _check_logarithms(result: Any) -> None:
    for part in (result, *getattr(result, "pairs", ())):
        p = getattr(part, "pvalue", None)
        if not isinstance(p, float) or not hasattr(part, "log_pvalue"):
            continue
        if p > 1e-300:
            assert math.isclose(math.exp(part.log_pvalue), p, rel_tol=1e-10)
        else:
            assert part.log_pvalue < -690


def check_comparison(c: Any) -> None:
    """The parts of a Comparison agree with one another, whatever the scores."""
    check_result(c)
    k, names = len(c.scores.algorithms), c.scores.algorithms
    if c.control is None:
        assert [(p.a, p.b) for p in c.pairs] == [(names[i], names[j]) for i in range(k) for j in range(i + 1, k)]
    else:
        assert [(p.a, p.b) for p in c.pairs] == [(c.control, b) for b in names if b != c.control]
        assert c.groups == ()
    assert c.primary == c.posthoc[0]
    for p in c.pairs:
        assert tuple(p.adjusted) == c.posthoc
        assert p.verdict in VERDICTS
        assert p.wins + p.ties + p.losses == c.scores.n_problems
        if p.verdict.endswith("better"):
            assert p.adjusted[c.primary] <= c.alpha
        assert all(x >= p.pvalue * (1 - 1e-12) for m, x in p.adjusted.items() if m not in ("dunnett", "tukey"))
        if p.effect is not None:
            assert p.effect.low <= p.effect.estimate <= p.effect.high
    codes = {x.code for x in c.cautions}
    if "one-problem" not in codes:  # which says it already
        assert ("cannot tell" in {p.verdict for p in c.pairs}) == ("out-of-reach" in codes)
    if c.control is None:
        check_groups(c)


def check_groups(c: Any) -> None:
    """Maximal sets of algorithms mutually not different, covering everyone."""
    differ = {frozenset((p.a, p.b)) for p in c.pairs if p.verdict.endswith("better")}

    def alike(x: str, y: str) -> bool:
        return frozenset((x, y)) not in differ

    names = c.scores.algorithms
    assert {x for group in c.groups for x in group} == set(names)
    for group in c.groups:
        assert all(alike(x, y) for x in group for y in group if x != y)
        assert not [x for x in names if x not in group and all(alike(x, y) for y in group)], "not maximal"
    assert len({frozenset(g) for g in c.groups}) == len(c.groups)


def by_name(result: Any, scores: bo.Scores, control: str | None = None) -> dict[Any, Any]:
    """A result as a mapping that does not depend on the order of algorithms and problems.

    Arrays of shape (k,), (k, k), (n,), (n, k), (k − 1,) are keyed by names; n must differ from k and k − 1.
    """
    flat: dict[Any, Any] = {}
    if isinstance(result, np.ndarray):
        _array(flat, "array", result, scores, None)
        return flat
    others = [a for a in scores.algorithms if a != control]
    for field in dataclasses.fields(result):
        value = getattr(result, field.name)
        if isinstance(value, np.ndarray):
            _array(flat, field.name, value, scores, others)
        elif field.name == "cautions":
            flat["cautions"] = sorted(c.code for c in value)
        elif isinstance(value, tuple) and value and all(isinstance(x, str) for x in value):
            flat[field.name] = frozenset(value)
        elif isinstance(value, tuple) and len(value) == scores.n_algorithms - 1 and "rejected" in field.name:
            _array(flat, field.name, np.array(value), scores, others)
        elif not dataclasses.is_dataclass(value):
            flat[field.name] = value
    return flat


def _array(flat: dict[Any, Any], field: str, value: Any, scores: bo.Scores, others: list[str] | None) -> None:
    n, k = scores.values.shape
    axes = {n: scores.problems, k: scores.algorithms}
    if others is not None and k - 1 not in axes:
        axes[k - 1] = tuple(others)
    for at, x in np.ndenumerate(value):
        flat[(field, *(axes[size][i] for size, i in zip(value.shape, at, strict=True)))] = x.item()


def comparison_by_name(c: Any) -> dict[Any, Any]:
    """A Comparison as a mapping that does not depend on the order of columns or rows."""
    flat: dict[Any, Any] = {
        "groups": {frozenset(g) for g in c.groups},
        "cautions": sorted(x.code for x in c.cautions),
        "critical difference": c.critical_difference,
        "kendall": c.kendall_w,
        "posthoc": c.posthoc,
        "omnibus": (c.omnibus.statistic, c.omnibus.pvalue, c.omnibus.log_pvalue, c.omnibus.df),
    }
    for j, name in enumerate(c.scores.algorithms):
        flat["mean rank", name] = float(c.mean_ranks[j])
    for p in c.pairs:
        flat["pair", frozenset((p.a, p.b))] = _oriented(p, c.pairwise)
    if c.contrasts is not None:
        for (i, j), x in np.ndenumerate(c.contrasts):
            flat["contrast", c.scores.algorithms[i], c.scores.algorithms[j]] = float(x)
    return flat


def _oriented(p: Any, pairwise: str) -> tuple[Any, ...]:
    """A pair as seen from the algorithm whose name comes first."""
    turn = p.a > p.b
    sign = -1.0 if turn else 1.0
    statistic = p.statistic
    if turn and pairwise == "sign":
        statistic = p.wins + p.losses + p.ties - p.ties % 2 - statistic
    elif pairwise not in ("wilcoxon", "sign"):
        statistic = sign * statistic
    winner = {"a better": p.a, "b better": p.b}.get(p.verdict, p.verdict)
    effect = None
    if p.effect is not None:
        low, high = (-p.effect.high, -p.effect.low) if turn else (p.effect.low, p.effect.high)
        effect = (sign * p.effect.estimate, low, high)
    counts = (p.losses, p.ties, p.wins) if turn else (p.wins, p.ties, p.losses)
    biserial = None if p.rank_biserial is None else sign * p.rank_biserial
    return (statistic, p.pvalue, p.log_pvalue, dict(p.adjusted), winner, effect, counts, biserial)
