"""Which drawer draws which result: one table per kind of result, from the type to the function.

A table is imported when it is needed: drawing a comparison does not load the Bayesian procedures.
"""

from collections.abc import Callable, Iterator
from typing import Any

from bakeoff.checks import choice, number
from bakeoff.errors import ParameterError, WrongTypeError
from bakeoff.figures.geometry.primitives import Drawing
from bakeoff.figures.geometry.widths import Width
from bakeoff.reportable import functions_of

_NARROWEST_MM, _WIDEST_MM = 60.0, 2000.0

Drawer = Callable[[Any, Width], Drawing]
Drawers = dict[type, Drawer]


def _comparison() -> Drawers:
    from bakeoff.comparison import Comparison
    from bakeoff.figures.geometry.comparison.diagrams import draw_comparison

    return {Comparison: draw_comparison}


def _bayes() -> Drawers:
    from bakeoff.bayes import JointComparison, Overview, RankPosterior, SignedRankPosterior, StrengthPosterior
    from bakeoff.figures.geometry.bayes.diagrams import draw_joint, draw_overview, draw_ranks, draw_shares
    from bakeoff.figures.geometry.interval_rows.strengths import draw_strength_posterior

    return {
        Overview: draw_overview,
        JointComparison: draw_joint,
        RankPosterior: draw_ranks,
        SignedRankPosterior: draw_shares,
        StrengthPosterior: draw_strength_posterior,
    }


def _plackett_luce() -> Drawers:
    from bakeoff.bayes import PlackettLucePosterior
    from bakeoff.figures.geometry.bayes.strengths import draw_strengths

    return {PlackettLucePosterior: draw_strengths}


def _experiment() -> Drawers:
    from bakeoff.figures.geometry.experiment.forest import draw_run
    from bakeoff.figures.geometry.experiment.quantiles import MeansPlot, QuantilePlot, draw_means, draw_quantiles
    from bakeoff.running.results import RunResult

    return {RunResult: draw_run, QuantilePlot: draw_quantiles, MeansPlot: draw_means}


def _race() -> Drawers:
    from bakeoff.figures.geometry.race.evidence import draw_race
    from bakeoff.figures.geometry.race.survivors import SurvivorsPlot, draw_survivors
    from bakeoff.racing.results import RaceResult

    return {RaceResult: draw_race, SurvivorsPlot: draw_survivors}


def _plan() -> Drawers:
    from bakeoff.figures.geometry.plan.power_curve import draw_curve
    from bakeoff.plan import PowerCurve

    return {PowerCurve: draw_curve}


def _power() -> Drawers:
    from bakeoff.figures.geometry.study.power_lines import PowerPlot, draw_power, draw_study
    from bakeoff.study import PowerStudy

    return {PowerStudy: draw_study, PowerPlot: draw_power}


def _known_truth() -> Drawers:
    from bakeoff.figures.geometry.study.power_lines import draw_study
    from bakeoff.study import KnownTruth

    return {KnownTruth: draw_study}


def _sensitivity() -> Drawers:
    from bakeoff.figures.geometry.sensitivity.matrix import draw_sensitivity
    from bakeoff.robustness import Sensitivity

    return {Sensitivity: draw_sensitivity}


def _history() -> Drawers:
    from bakeoff.figures.geometry.history.levels import draw_history
    from bakeoff.history import ChangePoints

    return {ChangePoints: draw_history}


def _timing() -> Drawers:
    from bakeoff.figures.geometry.timing.ratios import draw_timing
    from bakeoff.timing import Timing

    return {Timing: draw_timing}


def _evaluation() -> Drawers:
    from bakeoff.evaluation import Evaluation
    from bakeoff.figures.geometry.evaluation.differences import DifferencesPlot, draw_differences
    from bakeoff.figures.geometry.evaluation.means import draw_evaluation

    return {Evaluation: draw_evaluation, DifferencesPlot: draw_differences}


def _profile() -> Drawers:
    from bakeoff.figures.geometry.profile.panels import draw_profile
    from bakeoff.profiles import Profile

    return {Profile: draw_profile}


def _runtimes() -> Drawers:
    from bakeoff.figures.geometry.runtimes.cactus import draw_cactus
    from bakeoff.survival import Runtimes

    return {Runtimes: draw_cactus}


def _leaderboard() -> Drawers:
    from bakeoff.figures.geometry.leaderboard.ranks import draw_leaderboard
    from bakeoff.leaderboards import Leaderboard

    return {Leaderboard: draw_leaderboard}


def _tradeoff() -> Drawers:
    from bakeoff.figures.geometry.tradeoff.plane import draw_tradeoff
    from bakeoff.tradeoffs import Tradeoff

    return {Tradeoff: draw_tradeoff}


def _curves() -> Drawers:
    from bakeoff.anytime import Curves
    from bakeoff.figures.geometry.curves.mean_curves import draw_curves

    return {Curves: draw_curves}


def _per_problem() -> Drawers:
    from bakeoff.figures.geometry.interval_rows.problems import draw_per_problem
    from bakeoff.single_problem import PerProblem

    return {PerProblem: draw_per_problem}


def _iqm() -> Drawers:
    from bakeoff.figures.geometry.interval_rows.interquartile import draw_interquartile
    from bakeoff.interquartile import InterquartileMean

    return {InterquartileMean: draw_interquartile}


def _ratings() -> Drawers:
    from bakeoff.bradley_terry import Ratings
    from bakeoff.figures.geometry.interval_rows.strengths import draw_ratings

    return {Ratings: draw_ratings}


def _check() -> Drawers:
    from bakeoff.figures.geometry.interval_rows.checks import draw_check
    from bakeoff.gate import Check

    return {Check: draw_check}


# by Reportable.kind
KINDS: dict[str, Callable[[], Drawers]] = {
    "comparison": _comparison,
    "bayes": _bayes,
    "plackett-luce": _plackett_luce,
    "experiment": _experiment,
    "race": _race,
    "plan": _plan,
    "power": _power,
    "sensitivity": _sensitivity,
    "known-truth": _known_truth,
    "timing": _timing,
    "evaluation": _evaluation,
    "runtimes": _runtimes,
    "leaderboard": _leaderboard,
    "tradeoff": _tradeoff,
    "curves": _curves,
    "per-problem": _per_problem,
    "iqm": _iqm,
    "ratings": _ratings,
    "check": _check,
    "history": _history,
    "profile": _profile,
}


def _kinds(result: Any) -> dict[str, Drawer]:
    """The diagrams that a result has beside its usual one."""
    kind = getattr(type(result), "kind", None)
    if kind == "comparison":
        from bakeoff.figures.geometry.comparison.diagrams import draw_line, draw_list

        return {"line": draw_line, "list": draw_list}
    if kind == "bayes":
        from bakeoff.bayes import Overview
        from bakeoff.figures.geometry.bayes.diagrams import draw_joint, draw_ranks, draw_shares

        if isinstance(result, Overview):
            joint, ranks, shares = result.joint, result.ranks, result.pairs[0].signed_rank
            found: dict[str, Drawer] = {
                "statements": lambda _, width: draw_joint(joint, width),
                "ridges": lambda _, width: draw_ranks(ranks, width),
            }
            if len(result.pairs) == 1 and shares is not None:
                found["triangle"] = lambda _, width: draw_shares(shares, width)
            return found
    if kind == "evaluation":
        from bakeoff.figures.geometry.evaluation.differences import DifferencesPlot, draw_differences
        from bakeoff.figures.geometry.evaluation.means import draw_evaluation

        return {
            "means": draw_evaluation,
            "differences": lambda found, width: draw_differences(DifferencesPlot(evaluation=found), width),
        }
    if kind in ("power", "known-truth"):
        from bakeoff.figures.geometry.study.power_lines import families, of_family

        return {family: of_family(family) for family in families(result)}
    return {}


def draw(result: object, width_mm: Width, kind: str | None = None) -> Drawing:
    """The diagram of ``result``, whatever it is the result of."""
    if width_mm is not None:
        limits = f"from {_NARROWEST_MM:g} to {_WIDEST_MM:g} millimetres (a journal's column is about 80, a page 180)"
        width_mm = number("width_mm", width_mm, least=_NARROWEST_MM, most=_WIDEST_MM, what=f"a number {limits}")
    for drawers in _tables(result):
        for ancestor in type(result).__mro__:
            if ancestor in drawers:
                return _drawer(result, kind, drawers[ancestor])(result, width_mm)
    raise WrongTypeError(
        f"must come from {functions_of(KINDS)}, or be a part of bo.bayes.overview; "
        f"got {type(result).__name__}. Call bo.compare(scores) first.",
        parameter="result",
    )


def _drawer(result: object, kind: str | None, usual: Drawer) -> Drawer:
    """The drawer of this kind of diagram; ``usual`` if none was chosen."""
    if kind is None:
        return usual
    kinds = _kinds(result)
    if not kinds:
        raise ParameterError(
            f"must be left out: a {type(result).__name__} has one diagram; got {kind!r}", parameter="kind"
        )
    return kinds[choice("kind", kind, kinds)]


def _tables(result: object) -> Iterator[Drawers]:
    """The table of the result's own kind; of a part of a result, which has no kind, all of them."""
    kind = getattr(type(result), "kind", None)
    for name in [kind] if kind in KINDS else KINDS:
        yield KINDS[name]()
