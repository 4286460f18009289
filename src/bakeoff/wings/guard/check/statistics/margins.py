"""The margin, and the scale on which it is meant: a ratio of scores, or their difference."""

import csv
import math
import os
import tomllib
from collections.abc import Collection, Iterable, Mapping
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from bakeoff.checks import choice, did_you_mean, flag, positive, probability
from bakeoff.dataclass import dataclass
from bakeoff.errors import ParameterError, ReadingError, ScoreError, listing
from bakeoff.scores import Array, Scores
from bakeoff.scores.margins import read_margin, require_ratio

ANYTIME = "anytime"
"""The test that may be looked at after every pair."""
CORRECTIONS = {"holm": "holm", "bh": "fdr-bh", "none": "none"}
_RULE = 'must be 0 or more: a ratio such as "5%", or a number in score units'


@dataclass(frozen=True, slots=True)
class Scale:
    """From scores to costs whose differences are analysed, and back to the unit of the margin."""

    ratio: bool
    lower: bool  # lower scores are better

    def costs(self, scores: Array) -> Array:
        """Logarithms on the scale of ratios; turned so that more is worse."""
        values = np.log(scores) if self.ratio else scores
        return values if self.lower else -values

    def effect(self, theta: Array | float) -> Array:
        """As the margin is given: by what fraction, or how much, new is worse."""
        x = np.asarray(theta, dtype=np.float64)
        if not self.ratio:
            return x + 0.0
        with np.errstate(over="ignore"):  # a bound beyond floating point is infinite
            return np.expm1(x) if self.lower else -np.expm1(-x) + 0.0

    def rounded_by(self, step: Array, *sides: Array) -> Array:
        """By how much the difference of two means of costs may be off whose scores are rounded to steps."""
        if not self.ratio:
            return step
        half = [step / 2.0 / np.nanmin(side, axis=1, initial=np.inf) for side in sides]
        with np.errstate(divide="ignore"):
            return np.asarray(-np.sum([np.log1p(-np.minimum(share, 1.0)) for share in half], axis=0))

    def theta(self, margin: float) -> float:
        """The margin as a difference of costs."""
        if not self.ratio:
            return margin
        if self.lower:
            return math.log1p(margin)
        if margin >= 1.0:
            rule = f"must be below 100 % where higher is better: nothing falls by more; got {100.0 * margin:g} %"
            raise ParameterError(rule, parameter="margin")
        return -math.log1p(-margin)

    def theta_twice(self, margin: float) -> float:
        """``theta`` of twice the margin; infinite where nothing falls by as much."""
        return math.inf if self.ratio and not self.lower and 2.0 * margin >= 1.0 else self.theta(2.0 * margin)

    def back(self, cost: Array) -> Array:
        """A mean of costs as a score."""
        values = cost if self.lower else -cost
        return np.exp(values) if self.ratio else values + 0.0


def margin_value(text: object) -> tuple[float, bool]:
    """The margin, and whether it is a ratio, given in per cent."""
    return read_margin(text, _RULE, "the worsening that may pass", zero=True)


def own_margins(texts: Mapping[str, object], ratio: bool) -> dict[str, float]:
    """The margins of single problems, in the unit of the scale in force."""
    margins = {}
    for problem, text in texts.items():
        value, percent = margin_value(text)
        if value > 0.0 and percent != ratio:
            unit = 'a percentage, such as "5%"' if ratio else "in score units"
            rule = f"must be {unit}, as the scores are compared; got {text!r} for {problem!r}"
            raise ParameterError(rule, parameter="margins")
        margins[problem] = value
    return margins


def margins_and_accepted(margins: Any, accept: Mapping[str, str] | None) -> tuple[dict[str, Any], dict[str, str]]:
    """Both as given, or as a file has them: TOML, or CSV with margins alone."""
    if not isinstance(margins, str | os.PathLike):
        return dict(margins or {}), dict(accept or {})
    own, known = _margin_file(os.fspath(margins))
    return own, {**known, **(accept or {})}


def _margin_file(path: str) -> tuple[dict[str, float | str], dict[str, str]]:
    try:
        content = Path(path).read_bytes().decode("utf-8-sig")
        if not path.lower().endswith(".toml"):
            rows = [dict(row) for row in csv.DictReader(content.splitlines())]
            if any(not row.get("problem") or not row.get("margin") for row in rows) or not rows:
                raise ValueError("needs the columns problem and margin, and both in each row")
            if len({row["problem"] for row in rows}) < len(rows):
                raise ValueError("has a problem twice")
            return {row["problem"]: _as_number(row["margin"]) for row in rows}, {}
        table = tomllib.loads(content)
        if strange := set(table) - {"margins", "accept"}:
            raise ValueError(f"has {min(strange)!r}; it may have the tables [margins] and [accept]")
        tables = table.get("margins", {}), table.get("accept", {})
        if not all(isinstance(each, dict) for each in tables):
            raise ValueError('has margins or accept that is no table: write [margins], below it NAME = "5%"')
        return tables[0], {name: str(until) for name, until in tables[1].items()}
    except OSError as error:
        raise ReadingError(f"cannot read {path!r}: {error.strerror or error}") from None
    except (ValueError, csv.Error) as error:  # of TOML and of UTF-8, too
        raise ReadingError(f"{path!r}: {error}") from None


def _as_number(text: str) -> float | str:
    try:
        return float(text)
    except ValueError:
        return text


def until_of(problem: str, text: str) -> date:
    """The day in ``2026-12-31 being rewritten``."""
    try:
        return date.fromisoformat(str(text).split(maxsplit=1)[0])
    except (ValueError, IndexError):
        rule = f"must be a day such as 2026-12-31, perhaps with a reason behind it; got {text!r} for {problem!r}"
        raise ParameterError(rule, parameter="accept") from None


def require_known(names: Iterable[str], problems: Iterable[str], parameter: str) -> None:
    """A misspelt name must not pass as one that is not there."""
    known = list(problems)
    for name in names:
        if name not in known:
            rule = f"names {name!r}, which is no problem here; there are {listing(known)}{did_you_mean(name, known)}"
            raise ParameterError(rule, parameter=parameter)


def _side_with(bad: npt.NDArray[np.bool_]) -> str:
    """The argument that a cell (n, k) or run (n, k, r) is of; new is the last column."""
    return "new" if bad[:, -1].any() else "baseline"


def scale_of(
    scores: Scores, name: str, margin: float, percent: bool, of_processes: bool, one_by_one: bool = False
) -> Scale:
    """ "auto": shares (all scores in [0, 1], higher is better) by their difference, else positive scores by ratios.

    ``one_by_one``: each problem has a test of its own, so that one with a time of 0 keeps no other from being judged.
    A margin above 0 has the unit of that scale: a percentage is a ratio, a number without a unit is in score units, and
    decides where the scores have no ratio.
    """
    choice("scale", name, ("auto", "ratio", "difference"))
    cells = scores.values if scores.runs is None else scores.runs
    there = cells[~np.isnan(cells)]
    positive, share = bool((there > 0).all()), bool(((there >= 0) & (there <= 1)).all())
    if not np.isfinite(there).all():
        rule = "has infinite scores, which have no difference; a failed run needs a status"
        raise ScoreError(rule, parameter=_side_with(np.isinf(cells)))
    chosen, no_ratio = name, not positive and not (one_by_one and _zeros_are_few(scores, cells))
    if name == "auto":
        doubtful = share and not of_processes and (scores.better == "higher" or not percent)
        rates = share and not positive and scores.better == "higher"  # such as 0 and 1: they have no ratio
        chosen = "difference" if doubtful or rates or (no_ratio and not percent) else "ratio"
    if chosen == "ratio" and no_ratio:
        raise ScoreError(
            f"has scores of 0 or less, {there.min():g} the least ({_least(scores, cells)}), which have no ratio; give "
            "scale='difference' and the margin in score units, or measure work that takes longer",
            parameter=_side_with(cells <= 0),
        )
    if chosen == "ratio" and not percent and margin > 0.0:
        require_ratio(margin, "of scores that are compared by their ratios", "with scale='difference'")
    if chosen == "difference" and percent and margin > 0.0:
        raise ParameterError(_of_difference(margin, share, positive), parameter="margin")
    return Scale(chosen == "ratio", scores.better == "lower")


def _zeros_are_few(scores: Scores, cells: Array) -> bool:
    """No score is below 0, and some problem has none of 0."""
    return not (cells < 0).any() and len(without_ratio(scores)) < scores.n_problems


def without_ratio(scores: Scores) -> list[int]:
    """The problems in which some score is 0 or less: below what the clock can tell."""
    cells = scores.values[:, :, None] if scores.runs is None else scores.runs
    return np.flatnonzero((cells <= 0).any(axis=(1, 2))).tolist()


def _least(scores: Scores, cells: Array) -> str:
    """The problem, and the run where there are several, of the least score."""
    at = np.unravel_index(int(np.nanargmin(cells)), cells.shape)
    run = f", run {int(at[2]) + 1}" if len(at) > 2 else ""
    return f"problem {scores.problems[int(at[0])]!r}, {scores.algorithms[int(at[1])]}{run}"


def _of_difference(margin: float, share: bool, positive: bool) -> str:
    """A percentage where scores are compared by their difference: both of its readings."""
    percent = f"{100.0 * margin:.12g}"
    points = f"{margin:.12g} for {percent} percentage points" if share else "a number in score units"
    ratio = f", or \"{percent}%\" with scale='ratio'" if positive else ""
    return f"must be in score units, since the scores are compared by their difference: {points}{ratio}; got {percent}%"


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """The checked arguments that verdicts depend on."""

    limit: float  # the margin as given
    own: Mapping[str, float]  # of problems that have their own
    theta: float  # the margin as a difference of costs
    scale: Scale
    alpha: float
    correction: str
    level: str
    test: str
    pair: bool
    strict: bool
    center: bool
    run_sd: float | None
    allow_missing: bool
    exact: Collection[str]  # problems whose numbers are counts, which no clock rounds

    @property
    def known_sd(self) -> float | None:
        """The given standard deviation where verdicts rest on it; bets on pairs take it as a guess."""
        return None if self.test == ANYTIME else self.run_sd

    @property
    def called(self) -> str:
        """The test as results call it."""
        return self.test if self.known_sd is None else "z"

    def margin_of(self, problem: str) -> float:
        """As given."""
        return self.own.get(problem, self.limit)

    def thetas(self, problems: Iterable[str]) -> Array:
        """(m,) the margins as differences of costs."""
        return np.array([self.scale.theta(self.own[p]) if p in self.own else self.theta for p in problems])


def checked_rules(limit: float, own: Mapping[str, object], scale: Scale, **options: Any) -> Rules:
    """Rules from the arguments of a user; ``own``: margins of single problems, as they were given."""
    sd, margins = options["run_sd"], own_margins(own, scale.ratio)
    if options["test"] == ANYTIME and not min([limit, *margins.values()]) > 0.0:
        raise ParameterError("must be above 0 for looks after every pair: they bet on it; got 0", parameter="margin")
    return Rules(
        **options
        | {
            "limit": limit,
            "own": margins,
            "theta": scale.theta(limit),
            "scale": scale,
            "alpha": probability("alpha", options["alpha"]),
            "correction": choice("correction", options["correction"], CORRECTIONS),
            "strict": flag("strict", options["strict"]),
            "run_sd": None if sd is None else positive("run_sd", sd),
        }
    )
