"""What each kind of result writes as JSON: its keys, in their order."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from typing import Any

from schema_types import (
    Schema,
    Walker,
    by_name,
    closed,
    hint_of,
    list_of,
    number,
    one_of,
    or_null,
    pair_of,
    probability,
    said,
    text,
    whole,
    yes_or_no,
)
from schema_words import COMMON, OF_CLASS

from bakeoff.analyses import by_kind, by_schema
from bakeoff.anytime.results import Curves, CurveTable
from bakeoff.bayes import Overview, PairPosterior
from bakeoff.bayes._plackett_luce import PlackettLucePosterior
from bakeoff.bradley_terry.results import RatedPair, Ratings
from bakeoff.comparison import Comparison, Pair, ScoreTable
from bakeoff.comparison.results import Choice, Step
from bakeoff.comparison.verdicts import OF_MARGIN
from bakeoff.errors import Caution
from bakeoff.evaluation import Evaluation, EvaluationPair, SuiteMeans
from bakeoff.gate.results import Check
from bakeoff.history.results import ChangePoints
from bakeoff.interquartile.results import InterquartileMean
from bakeoff.leaderboards.results import Leaderboard
from bakeoff.parameter import Parameter
from bakeoff.plan import PowerCurve
from bakeoff.plan._instances import InstancePlan
from bakeoff.plan._question_variance import QuestionVariance
from bakeoff.plan._questions import QuestionPlan
from bakeoff.plan._repetitions import RepetitionPlan
from bakeoff.plan._variance_components import VarianceComponents
from bakeoff.profiles.results import Profile
from bakeoff.racing.results import RaceResult
from bakeoff.report.bayes.data import KEYS as OF_BAYES
from bakeoff.report.comparison.data import KEYS as OF_COMPARISON
from bakeoff.report.plan.answers import KEYS as OF_PLAN
from bakeoff.report.plan.pilot import KEYS as OF_PILOT
from bakeoff.robustness.results import SensitivePair, Sensitivity
from bakeoff.running._race import RunRaceResult
from bakeoff.running.analysis.pair_effect import PairEffect
from bakeoff.running.analysis.power_profile import PowerProfile
from bakeoff.running.analysis.results import ExperimentAnalysis
from bakeoff.running.design.question import Question
from bakeoff.running.results import Estimate, RunResult
from bakeoff.running.store.contents import StoredLook
from bakeoff.scores.margins import Margin
from bakeoff.single_problem._per_problem import PerProblem
from bakeoff.study import RaceErrors, RaceStudy
from bakeoff.study._known_truth import KnownTruth, TruthRow
from bakeoff.study._power import PowerStudy
from bakeoff.study.power_measures import PowerRow
from bakeoff.survival.results import Runtimes
from bakeoff.timing.results import Timing
from bakeoff.tradeoffs.results import Tradeoff

BETTER = said(one_of(("lower", "higher")), "Which scores are good.")
COUNT: Schema = {"type": "integer", "minimum": 0}
PLACE = said(list_of(text()), "A problem and an algorithm.")
SCORE: Schema = {"anyOf": [{"type": "number"}, {"enum": ["inf", "-inf"]}]}
NAMES = list_of(text())
DECISIONS = ("difference", "equal", "not worse", "none", "cannot tell")
DECIDED = (
    "A word for scripts. difference: of at least one pair; equal, not worse: each pair; none: no difference is shown; "
    "cannot tell: no outcome could have shown one."
)


class Report:
    """The schema of one kind, key by key."""

    def __init__(self, name: str, title: str, written_by: str) -> None:
        self.name, self.title, self.written_by = name, title, written_by
        self.walker = Walker({"": COMMON} | OF_CLASS)
        self.properties: dict[str, Schema] = {}
        self.optional: list[str] = []
        self.key("schema", {"const": name}, "The kind of this report and the version of its keys.")

    def key(self, name: str, schema: Schema, description: str = "", optional: bool = False) -> Report:
        words = description or schema.get("description") or COMMON.get(name, "")
        if not words:
            self.walker.undescribed.append(f"{self.name}: {name}")
        self.properties[name] = said(schema, words)
        self.optional += [name] if optional else []
        return self

    def fields(self, record: type, *names: str, **own: Schema) -> Report:
        """Keys that are attributes of a result."""
        for name in names:
            found = self.walker.attribute(record, name, own.get(name))
            self.key(name, found, found.get("description", ""))
        return self

    def verdict(self, *words: str | None) -> Report:
        self.key("verdict", text(), "The sentence that every report begins with.")
        return self.key("decision", one_of(words or DECISIONS), DECIDED) if words != (None,) else self.undecided()

    def undecided(self) -> Report:
        return self.key("decision", {"type": "null"}, "null: nothing is decided.")

    def sizes(self) -> Report:
        return self.key("better", BETTER).key("n_problems", COUNT).key("n_algorithms", COUNT)

    def cautions(self) -> Schema:
        return list_of(self.walker.of_class(Caution))

    def origin(self, seen: bool = True) -> Report:
        """What every report of scores ends with."""
        self.key("metric", text(), optional=True)
        self.key("cautions", self.cautions())
        self.key("dropped", NAMES, "Problems left out when the scores were read.")
        self.key("filled", list_of(PLACE), "Cells whose missing score was filled in.")
        self.references()
        self.key("input_sha256", text(), "SHA-256 of the file, or of the table where there is none.")
        return self.command()

    def references(self) -> Report:
        self.key("references", NAMES, "Keys of the bibliography: whom to cite (bakeoff cite REPORT.json).")
        return self.key("versions", by_name(text()), "Version of each package that computed the numbers.")

    def command(self) -> Report:
        return self.key("command", text(), "The command line, if one made the report.", optional=True)

    def asked(self, scores: bool = True) -> Report:
        """Enough to compute the report again."""
        self.key("request", self.request(by_schema()[self.name].parameters))
        self.key("added_cautions", self.cautions(), "Those of cautions that the scores do not explain.")
        return self.key("scores", self.scores()) if scores else self

    def request(self, parameters: Sequence[Parameter]) -> Schema:
        return {
            "description": "Arguments of the call, as given; null or absent: the default.",
            "type": "object",
            "properties": {parameter.name: argument(parameter) for parameter in parameters},
            "additionalProperties": False,
        }

    def scores(self) -> Schema:
        """The table itself."""
        self.walker.definitions.setdefault("scores", SCORES)
        return {"description": "The table that was analysed.", "$ref": "#/$defs/scores"}

    def per_algorithm(self, values: Schema) -> Schema:
        return by_name(values)

    def document(self) -> dict[str, Any]:
        """The whole schema."""
        return {
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "$id": f"urn:{self.name.replace('.', ':').replace('/', ':')}",
            "title": self.title,
            "$comment": f"Written by {self.written_by}. Generated by docs/generate/schemas.py from the result types.",
            **closed(self.properties, self.optional),
            "$defs": dict(sorted(self.walker.definitions.items())),
        }


SCORES = closed(
    {
        "metric": said(text(), "What the scores are."),
        "unit": said(text(), "Unit of the scores, such as s."),
        "better": BETTER,
        "problems": said(NAMES, "Rows."),
        "clusters": said(NAMES, "Cluster of each problem, in their order."),
        "run_kind": said(text(), "What a run is: seed, split, answer, process or iteration."),
        "run_ids": said({"type": "array"}, "Name of each run: one list for all cells, or one per cell."),
        "status": said({"type": "array"}, "What happened to each run: ok, timeout, …, by problem and algorithm."),
        "algorithms": said(NAMES, "Columns."),
        "values": said(
            list_of(list_of({"anyOf": [*SCORE["anyOf"], {"type": "null"}]})),
            "The scores that were analysed, a row per problem; of runs, what stands for the cell. null: missing.",
        ),
        "runs": said(
            {"anyOf": [list_of(list_of(list_of(SCORE))), {"type": "null"}]},
            "The runs of each cell, a row per problem; null where there is one per cell.",
        ),
        "dropped": said(NAMES, "Problems left out when the scores were read."),
        "filled": said(list_of(PLACE), "Cells whose missing score was filled in."),
        "differing": said({"type": "array"}, "What differs between the sources of the columns."),
        "hosts": said(NAMES, "The machines that each algorithm was measured on; empty text where they are unknown."),
        "rows": said(text(), "What a row of the source was, where that was said: problems, algorithms or scores."),
        "numbered": said({"type": "boolean"}, "The columns of the source are called 0, 1, 2, …, like runs."),
        "left_out": said({"type": "array"}, "Tasks that lack the metric, each with its number of problems."),
        "sha256": said(text(), "Of directions, names and every bit of every run."),
        "file_sha256": said(or_null(text()), "Of the file; null where the scores came from no file."),
    },
    (
        "metric",
        "unit",
        "clusters",
        "run_kind",
        "run_ids",
        "status",
        "differing",
        "hosts",
        "rows",
        "numbered",
        "left_out",
    ),
    "Scores with their names. JSON has no infinity: the words inf and -inf stand for it.",
)
TEST = closed(
    {
        "name": said(text(), "The test."),
        "statistic": said(number(), "Its statistic; null where it is infinite."),
        "df": said(list_of({"type": "number"}), "Degrees of freedom."),
        "pvalue": said(probability(), "Two-sided."),
        "log_pvalue": said(number(), "Its natural logarithm."),
        "method": said(text(), "exact, permutation, or the name of the approximation."),
        "ties": said(text(), "none (the papers' form) or corrected."),
        "n_tied": said(COUNT, "Problems with ties."),
        "confidence_interval": said(pair_of(probability()), "Of a sampled p-value."),
    },
    ("log_pvalue", "method", "ties", "n_tied", "confidence_interval", "statistic"),
    "A test of all algorithms at once.",
)


def compare() -> Report:
    r = Report("bakeoff.compare/1", "Comparison of algorithms", "bakeoff compare and bo.compare")
    w = r.walker
    w.definitions["test"] = TEST
    test = {"$ref": "#/$defs/test"}
    means = by_name(number())
    pair = w.of_class(
        Pair,
        (*OF_COMPARISON[Pair], *OF_MARGIN, "n_problems", "bounds"),
        (*OF_MARGIN, "n_problems", "bounds"),
        adjusted=by_name(probability()),
    )
    own: dict[str, Schema] = {
        "omnibus": test, "companion": or_null(test), "mean_ranks": means, "pairs": list_of(pair),
        "steps": list_of(w.of_class(Step, OF_COMPARISON[Step])), "choices": list_of(w.of_class(Choice)),
    }  # fmt: skip
    r.verdict().sizes().fields(Comparison, *OF_COMPARISON[Comparison], **own)
    r.key(
        "margin",
        w.of_class(Margin, ("value", "scale", "given", "tests")),
        "The smallest difference that matters.",
        True,
    )
    r.key("means", means, "Mean score by algorithm.")
    r.key("n_clusters", COUNT, "Clusters of problems, where these are the units.", True)
    detectable = closed(
        {
            "effect": said(number(), "In standard deviations of the differences."),
            "power": said(probability(), "With which it is found."),
            "level": said(probability(), "Level of the pair at the correction in force."),
            "sentence": said(text(), "The same in words."),
        }
    )
    r.key("detectable", or_null(detectable), "The effect that this many problems would find.")
    missing = closed(
        {
            "analysis": said(one_of(("common", "bounds")), "How missing scores were treated."),
            "cells": said(list_of(PLACE), "Where a score is missing."),
            "per_algorithm": said(by_name(COUNT), "Missing scores of each algorithm."),
        }
    )
    r.key("missing", missing, "Of a table with missing scores.", True)
    r.origin().asked()
    examined = Report("bakeoff.sensitivity/1", "", "")
    examined.walker = w
    _varied(examined.key("verdict", text(), "What the sensitivity is, in a sentence."))
    examined.key("request", r.request(by_kind()["examined"].parameters)).key("cautions", r.cautions())
    r.key("sensitivity", _part(examined), "With --sensitivity: what would change the verdicts.", True)
    board = Report("bakeoff.leaderboard/1", "", "")
    board.walker = w
    _standings(board.key("verdict", text(), "Who may be the best, in a sentence."))
    board.key("request", r.request(by_kind()["ranked"].parameters)).key("cautions", r.cautions())
    return r.key("leaderboard", _part(board), "With --leaderboard: who may be the best.", True)


def argument(parameter: Parameter) -> Schema:
    """Its words, types and choices, and its default."""
    described: Schema = {"description": parameter.text}
    if parameter.checked_by:
        described["type"] = ["object", "null"]
    elif parameter.type is bool:
        described["type"] = "boolean"
    else:
        types = {str: ["string"], int: ["integer"], float: ["number"]}[parameter.type]
        described["type"] = [*types, *["string"] * parameter.text_too, *["array"] * parameter.several, "null"]
        if parameter.choices and not parameter.several:
            described["enum"] = [*parameter.choices, None]
    if parameter.default is not None:
        default = parameter.default
        described["default"] = list(default) if isinstance(default, tuple) else default
    return described


def _part(report: Report) -> Schema:
    properties = {name: schema for name, schema in report.properties.items() if name != "schema"}
    return closed(properties, report.optional)


def _varied(r: Report) -> Report:
    w = r.walker
    pair = w.of_class(SensitivePair)
    definition = w.definitions["SensitivePair"]
    definition["properties"]["sentence"] = said(text(), "What would change the verdict, in words.")
    definition["required"] = list(definition["properties"])
    own = {"pairs": list_of(pair)}
    return r.fields(Sensitivity, "analyses", "left_out", "resamples", "decimals", "pairs", **own)


def sensitivity() -> Report:
    r = Report("bakeoff.sensitivity/1", "Sensitivity of a comparison", "bakeoff sensitivity and bo.sensitivity")
    r.verdict().sizes().fields(Comparison, "control", "alpha", "pairwise", "primary", "recipe")
    return _varied(r).origin().asked()


def bayes() -> Report:
    r = Report("bakeoff.bayes/1", "Bayesian comparison", "bakeoff bayes and bo.bayes.overview")
    w = r.walker
    named = by_name({"anyOf": [number(), list_of(number())]})
    by_algorithm = dict.fromkeys(
        ("mean", "mean_ranks", "standard_deviations", "p_best", "standard_error", "p_rank", "rank_standard_error",
         "expected_loss", "loss_standard_error"), named,
    )  # fmt: skip
    by_algorithm |= {"prior_ranks": or_null(named), "quantiles": or_null(named)}

    def posterior(record: type) -> Schema:
        keys = OF_BAYES[record]
        own = {key: by_algorithm[key] for key in keys if key in by_algorithm}
        if record.__name__ == "FriedmanPosterior":
            own["standard_error"] = number()
        return w.of_class(record, keys, **own)

    joint, ranks, friedman, _, sign, signed_rank = OF_BAYES
    r.verdict().sizes().key("n_clusters", or_null(COUNT))
    r.fields(Overview, "control", "gamma", "rope", "prior", "prior_strength")
    r.key("joint", w.of_class(joint, OF_BAYES[joint]), "What holds of all statements at once.")
    statement = w.of_hint(hint_of(joint, "statements"), "statements")
    r.key("statements", statement, "For each pair the more probable statement, the most probable one first.")
    r.key("ranks", posterior(ranks), "Posterior of the ranks; numbers by algorithm.")
    r.key("friedman", posterior(friedman), "Bayesian Friedman test; numbers by algorithm.")
    r.key("friedman_exact", or_null(posterior(friedman)), "The same with the exact region; null where out of reach.")
    each = w.of_class(
        PairPosterior, OF_BAYES[PairPosterior],
        sign=or_null(w.of_class(sign, OF_BAYES[sign])),
        signed_rank=or_null(w.of_class(signed_rank, OF_BAYES[signed_rank])),
    )  # fmt: skip
    return r.key("pairs", list_of(each), "The Bayesian tests of each pair.").origin().asked()


def plackett_luce() -> Report:
    r = Report("bakeoff.plackett-luce/1", "Plackett–Luce model", "bakeoff bayes --method plackett-luce")
    p = PlackettLucePosterior
    r.verdict(None).sizes().key("n_clusters", or_null(COUNT))
    r.fields(p, "n_rankings", "n_tied", "n_partial", "prior_strength", "gamma", "n_draws", "n_chains")
    strength = closed(
        {
            "algorithm": said(text(), "Its name."),
            "p_first": said(probability(), "Probability of being first on a new problem."),
            "p_first_standard_error": said(number(), "Monte Carlo error."),
            "p_first_interval": said(pair_of(probability()), "Credible interval of the probability to be first."),
            "p_best": said(probability(), "Probability of having the largest strength."),
            "p_best_standard_error": said(number(), "Monte Carlo error."),
            "first_places": said(number(), "Problems on which it was first; ties shared."),
            "strength": said(number(), "Posterior mean of its log strength."),
            "sd": said(number(), "Standard deviation of its log strength."),
            "interval": said(pair_of(number()), "Credible interval of its log strength."),
        }
    )
    pair = closed(
        {
            "a": said(text(), "The first algorithm."),
            "b": said(text(), "The second algorithm."),
            "p_stronger": said(probability(), "Probability that a is the stronger one."),
            "p_ahead": said(probability(), "Probability that a is ahead of b on a new problem."),
            "p_ahead_standard_error": said(number(), "Monte Carlo error."),
        }
    )
    r.key("strengths", list_of(strength), "One entry per algorithm.").key("pairs", list_of(pair))
    return r.fields(p, "predictive_p", "standard_error", "diagnostics").origin().asked()


def scores() -> Report:
    r = Report("bakeoff.scores/1", "Table of scores", "bo.score_table and --report scores.json")
    r.verdict(None).sizes().key("problems", NAMES).key("algorithms", NAMES)
    r.key("values", list_of(list_of(number())), "A row per problem; null: missing, or infinite.")
    r.key("standard_deviations", or_null(list_of(list_of(number()))), "Of the runs; null where there is one per cell.")
    r.key("n_runs", list_of(list_of(COUNT)), "A row per problem.")
    r.key("ranks", list_of(list_of(number())), "Within the problem, 1 is best; a row per problem.")
    r.key("averages", by_name(number()), "Mean score by algorithm.")
    r.key("mean_ranks", by_name(number()), "By algorithm.").fields(ScoreTable, "control")
    r.key("clusters", NAMES, "Cluster of each problem.", True)
    for name, what in (("wins", "better"), ("ties", "equal"), ("losses", "worse")):
        r.key(name, or_null(by_name(COUNT)), f"Problems where it is {what} than or as the control; null without one.")
    return r.origin()


def per_problem() -> Report:
    r = Report("bakeoff.per-problem/1", "Verdicts by problem", "bakeoff per-problem and bo.per_problem")
    r.verdict().sizes().fields(PerProblem, "control", "correction", "alpha", "paired", "cells")
    counts = {"plus": "a better", "equal": "practically equal, or no difference shown", "minus": "b better"}
    counts["cannot_tell"] = "nothing can be told"
    names = {"a": said(text(), "The first."), "b": said(text(), "The second.")}
    count = closed(names | {name: said(COUNT, f"Problems: {what}.") for name, what in counts.items()})
    r.key("counts", list_of(count), "One entry per pair.")
    r.key("leaders", by_name(NAMES), "By problem: the algorithms that none is shown to beat.")
    return r.origin().asked()


def iqm() -> Report:
    r = Report("bakeoff.interquartile-mean/1", "Interquartile means", "bakeoff iqm and bo.interquartile_mean")
    keys = ("control", "over", "interval", "alpha", "goal", "resamples", "estimates", "pairs")
    return r.verdict().sizes().fields(InterquartileMean, *keys).origin().asked()


def ratings() -> Report:
    r = Report("bakeoff.ratings/1", "Ratings by who beat whom", "bakeoff ratings and bo.ratings")
    w = r.walker
    r.verdict().key("n_algorithms", COUNT)
    r.key("n_battles", number(), "Comparisons of two; a tie counts half for each.")
    r.key("n_ties", number(), "Among them, without a winner.").key("n_clusters", or_null(COUNT))
    r.fields(Ratings, "alpha", "method", "penalty", "errors", "df", "critical", "resamples", "resamples_left_out")
    rating = closed(
        {
            "algorithm": said(text(), "Its name."),
            "strength": said(number(), "Log strength; the mean is 0 unless a reference was given."),
            "standard_error": said(number(), "Of the log strength."),
            "interval": said(pair_of(number()), "Of the log strength, simultaneous."),
            "elo": said(number(), "The strength in Elo points: 400/log(10) each."),
            "rank_interval": said(pair_of(whole()), "Best and worst rank, simultaneous."),
        }
    )
    r.key("ratings", list_of(rating), "One entry per algorithm.")
    r.fields(Ratings, "covariance")
    r.key("pairs", list_of(w.of_class(RatedPair)))
    r.fields(Ratings, "tie_parameter", "deviance", "deviance_df", "deviance_pvalue", "log_likelihood")
    battles = closed(
        {
            "algorithms": said(NAMES, "Names; pairs refer to them by place."),
            "pairs": said(list_of(pair_of(whole())), "First and second of each kind of battle."),
            "counts": said({"type": "array"}, "Wins, ties and losses of each."),
            "clusters": said(NAMES, "Cluster of each entry of pairs."),
        },
        ("clusters",),
    )
    r.origin().asked().key("battles", battles, "The battles, where they are no table of scores.", True)
    r.optional += ["dropped", "filled", "scores"]
    return r


def check() -> Report:
    r = Report("bakeoff.check/1", "Check against a baseline", "bakeoff check and bo.check")
    r.verdict("ok", "regressed", "inconclusive").key("sentence", text(), "As verdict.").key("better", BETTER)
    keys = ("margin", "alpha", "correction", "level", "scale", "test", "paired", "unit", "strict", "rows", "only_new")
    return r.fields(Check, *keys, "diagnostics").origin().asked()


def history() -> Report:
    r = Report("bakeoff.history/1", "Change points", "bakeoff history and bo.change_points")
    r.verdict().key("better", BETTER)
    keys = ("alpha", "min_segment", "scale", "method", "n_resamples", "confidence_level", "steps", "series")
    return r.fields(ChangePoints, *keys).origin().asked()


def timing() -> Report:
    r = Report("bakeoff.timing/1", "Timed commands", "bakeoff time and bo.time_ratios")
    r.verdict().key("better", BETTER).key("unit", {"const": "s"}, "Seconds.")
    keys = ("control", "alpha", "precision", "design", "n_rounds", "commands", "pairs", "order_effect", "level")
    return r.fields(Timing, *keys, level=number()).origin().asked()


def evaluate() -> Report:
    r = Report("bakeoff.evaluate/1", "Evaluation", "bakeoff evaluate and bo.evaluate")
    keys = ("n_clusters", "unit", "control", "correction", "alpha", "tasks", "exact", "critical", "estimates", "pairs")
    r.verdict().sizes().fields(Evaluation, *keys, "rank_intervals", "groups", "detectable")
    r.key("suites", list_of(r.walker.of_class(SuiteMeans)), "One entry per suite; empty without suites.")
    return r.origin().asked()


def profile() -> Report:
    r = Report("bakeoff.profile/1", "Performance profiles", "bakeoff profile and bo.profile")
    r.verdict(None).key("kind", one_of(("ratio", "difference", "data")), "How far from the best is measured.")
    r.fields(Profile, "cell")
    r.sizes().fields(Profile, "n_clusters", "band")
    shares = list_of(probability())
    at = closed({"tau": said(number(), "Distance to the best; null: any."), "shares": said(shares, "In column order.")})
    curve = closed(
        {
            "algorithm": said(text(), "Its name."),
            "half_width": said(number(), "Of the band around share."),
            "ever": said(probability(), "Share of problems within any tau."),
            "tau": said(list_of(number()), "Where its curve steps; null where it is infinite."),
            "share": said(shares, "From each of these on."),
        }
    )
    r.key("at", list_of(at), "Shares at some tau.").key("curves", list_of(curve), "One entry per algorithm.")
    return r.fields(Profile, "swap", "flips").origin().asked()


def runtimes() -> Report:
    r = Report("bakeoff.runtimes/1", "Runtimes with a cap", "bakeoff runtimes and bo.runtimes")
    keys = ("unit", "n_units", "control", "alpha", "cap", "k", "shift", "estimates", "pairs", "portfolio", "curves")
    cap: Schema = {"anyOf": [{"type": "number"}, {"type": "null"}, list_of(number())]}
    return r.verdict().sizes().fields(Runtimes, *keys, cap=cap).origin().asked()


def _standings(r: Report) -> Report:
    own = {"pairs": list_of(r.walker.of_class(EvaluationPair))}
    r.fields(Leaderboard, "alpha", "by", "unit", "n_clusters").fields(Evaluation, "exact", "critical")
    keys = ("candidates", "leading", "rank_intervals", "groups", "winner", "standings", "pairs")
    return r.fields(Leaderboard, *keys, **own)


def leaderboard() -> Report:
    r = Report("bakeoff.leaderboard/1", "Leaderboard", "bakeoff leaderboard and bo.leaderboard")
    return _standings(r.sizes().verdict()).origin().asked()


def tradeoff() -> Report:
    r = Report("bakeoff.tradeoff/1", "Trade-off of several metrics", "bakeoff tradeoff and bo.tradeoff")
    r.verdict().key("n_problems", COUNT).key("n_algorithms", COUNT).fields(Tradeoff, "n_clusters")
    r.key("metrics", NAMES, "Names.")
    keys = ("margins", "alpha", "unit", "frontier", "dominated", "cannot_tell", "positions", "pairs")
    r.fields(Tradeoff, *keys, margins=by_name(text())).key("cautions", r.cautions()).references().command()
    return r.asked(scores=False).key("tables", by_name(r.scores()), "The table of each metric.")


def curves() -> Report:
    r = Report("bakeoff.curves/1", "Anytime curves", "bakeoff curves and bo.curves")
    r.verdict().sizes().fields(Curves, "n_units", "unit", "control", "alpha", "exact", "t")
    r.key("areas", by_name(number()), "Area under the mean curve, by algorithm.").fields(Curves, "pairs")
    r.origin().asked(scores=False)
    return r.key("curves", r.walker.of_class(CurveTable), "The curves on the grid.")


def _run_pairs(r: Report) -> Schema:
    shapiro = closed(
        {"statistic": said(number(), "Shapiro and Wilk's W."), "pvalue": said(probability(), "Of normality.")}
    )
    pair = closed(
        {
            "a": said(text(), COMMON["a"]),
            "b": said(text(), COMMON["b"]),
            "verdict": said(text(), "What is shown, in one of the fixed wordings."),
            "statistic": said(number(), "Of the fixed-size test; null where there is none."),
            "pvalue": said(or_null(probability()), "Valid at all looks; null where there is no test."),
            "adjusted": said(or_null(probability()), "By Holm's procedure over the pairs; null as pvalue."),
            "effect": said(or_null(r.walker.of_class(PairEffect)), "How much better a is."),
            "shapiro": said(or_null(shapiro), "Shapiro–Wilk test of the differences; null for signs."),
            "skewness": said(number(), "Of the differences."),
            "bootstrap_skewness": said(number(), "Of their bootstrap mean."),
            "differences": said(by_name(number()), "By problem, positive where a is better."),
        }
    )
    return list_of(pair)


def _estimates(r: Report) -> Schema:
    return list_of(r.walker.of_class(Estimate, ("problem", "n_runs", "reason", "pairs")))


def _look() -> Schema:
    words = {"number": "1, 2, …", "n": "Problems looked at.", "statistic": "The largest adjusted p-value.",
             "threshold": "Stop at or below it.", "verdict": "go on, stop or end."}  # fmt: skip
    kinds = {"number": COUNT, "n": COUNT, "statistic": number(), "threshold": number(), "verdict": text()}
    assert list(words) == list(StoredLook._fields)
    return list_of(closed({name: said(kinds[name], words[name]) for name in words}))


def _analysis(r: Report, *names: str) -> Report:
    """Keys that a run and its report share."""
    w = r.walker
    for name in names:
        if name == "question":
            r.key(name, w.of_class(Question), "As fixed before the first run.")
        elif name == "power":
            r.key(name, w.of_class(PowerProfile), "Which effects the experiment could find.")
        elif name == "pairs":
            r.key(name, _run_pairs(r))
        elif name == "looks":
            r.key(name, _look(), "Of a sequential experiment.")
        elif name == "estimates":
            r.key(name, _estimates(r), "One entry per problem.")
        elif name in {field.name for field in fields(ExperimentAnalysis)}:
            r.fields(ExperimentAnalysis, name)
        else:
            r.fields(RunResult, name)
    return r


def experiment() -> Report:
    r = Report("bakeoff.experiment/1", "Report of an experiment", "bakeoff run --report REPORT.json and bo.run")
    r.verdict().key("better", BETTER).key("algorithms", NAMES)
    sizes = ("n_problems", "n_planned", "n_dropped", "n_runs", "n_failed", "n_beyond", "reasons", "digest")
    _analysis(r, *sizes, "question", "correction", "stopped_early", "looks", "power", "pairs", "estimates")
    return r.origin()


def run() -> Report:
    r = Report("bakeoff.run/1", "A finished run", "bakeoff run --json")
    r.key("store", text(), "The file that keeps the runs.").key("better", BETTER)
    own = (
        "algorithms",
        "n_problems",
        "n_runs",
        "n_failed",
        "n_retried",
        "reasons",
        "differences",
        "statistic",
        "method",
    )
    r.fields(RunResult, *own, "allocation", "digest").verdict()
    _analysis(r, "question", "pairs", "looks", "stopped_early", "n_beyond", "power", "estimates")
    r.key("cautions", r.cautions())
    return r.key("versions", by_name(text()), "Version of each package that computed the numbers.")


def race() -> Report:
    r = Report("bakeoff.race/1", "A race", "bakeoff race, bo.race and bo.race.replay")
    r.verdict()
    keys = [f.name for f in fields(RunRaceResult) if f.name != "contents"]
    r.fields(RunRaceResult, *keys, cautions=r.cautions()).key(
        "saved", number(), "Share of the full cost that was not spent."
    )
    known = {f.name for f in fields(RaceResult)}
    r.optional += ["metric", *(name for name in keys if name not in known)]  # a replay made no runs
    return r.references().command()


def plan() -> Report:
    r = Report("bakeoff.plan/1", "Plan of an experiment", "bakeoff plan and bo.plan.curve")
    w = r.walker
    r.verdict(None).key("question", text(), "What is asked: n, effect_size, power, alpha or curve.", True)
    setting = {name: w.of_hint(PowerCurve.__annotations__[name], name) for name in OF_PLAN[InstancePlan] if name in PowerCurve.__annotations__}  # noqa: E501 # fmt: skip
    known = {name: w.attribute(InstancePlan, name) for name in OF_PLAN[InstancePlan]}
    for name, schema in known.items():
        loose = or_null(schema) if name in setting else schema
        r.key(
            name,
            {key: value for key, value in loose.items() if key != "description"},
            schema.get("description", ""),
            True,
        )
    r.properties["effect_size"] = said(
        {"anyOf": [number(), list_of(number())]},
        "In standard deviations of the differences; or the means of all algorithms.",
    )  # fmt: skip
    components = list_of(w.of_class(VarianceComponents, OF_PILOT[VarianceComponents]))
    variance = closed({"pairs": said(components, "One entry per pair.")})
    r.key("variance", variance, "What varies in a pilot.", True)
    r.key("repetitions", w.of_class(RepetitionPlan, OF_PILOT[RepetitionPlan]), "Runs per cell.", True)
    r.key("questions", w.of_class(QuestionPlan), "Of an evaluation.", True)
    r.key(
        "question_variance",
        closed({"pairs": said(list_of(w.of_class(QuestionVariance)), "One entry per pair.")}),
        "What varies.",
        True,
    )
    curve = w.of_class(PowerCurve, OF_PLAN[PowerCurve])
    return (
        r.key("curve", curve, "Power curve.", True)
        .key("cautions", r.cautions())
        .key("versions", by_name(text()), "Version of bakeoff.")
    )


def _study(record: type, name: str, title: str) -> Report:
    r = Report(f"bakeoff.study.{name}/1", title, f"bakeoff study {name}")
    r.verdict(None).key("seed", whole())
    w = r.walker
    ref = w.of_class(record)
    definition = w.definitions[record.__name__]
    definition["properties"]["options"] = said({"type": "object"}, "Options of the racing rule.")
    definition["required"] = list(definition["properties"])
    r.key("studies", list_of(ref), "One entry per racing rule.")
    return r.key("versions", by_name(text()), "Version of bakeoff.")


def study_race() -> Report:
    return _study(RaceStudy, "race", "Simulated races: whom they choose")


def study_race_errors() -> Report:
    return _study(RaceErrors, "race-errors", "Simulated races: how often they err")


def study_power() -> Report:
    r = Report("bakeoff.study.power/1", "Power on draws of problems", "bakeoff study power and bo.study.power")
    keys = (
        "a",
        "b",
        "tests",
        "size",
        "unit",
        "drawn_from",
        "bias",
        "draws",
        "alpha",
        "scale",
        "scale_asked",
        "lead",
        "seed",
    )
    return r.verdict(None).sizes().fields(PowerStudy, *keys, "rows").origin()


def study_known_truth() -> Report:
    r = Report("bakeoff.study.known-truth/1", "Power where the truth is known", "bakeoff study power --known-truth")
    w = r.walker
    keys = ("a", "b", "null", "tests", "size", "unit", "drawn_from", "shift", "draws", "alpha", "scale", "seed")
    own = ("test", "shift", "errors", "at_size")
    measured = [f.name for f in fields(PowerRow) if f.name not in ("k", "test")]
    row = closed(
        {name: w.attribute(TruthRow, name) for name in own} | {name: w.attribute(PowerRow, name) for name in measured}
    )
    return (
        r.verdict(None).sizes().fields(KnownTruth, *keys).key("rows", list_of(row), "Per procedure and shift.").origin()
    )


@dataclass(frozen=True, slots=True)
class Plain:
    """A small report of one command, written out."""

    name: str
    title: str
    written_by: str
    keys: dict[str, tuple[Schema, str]]
    optional: tuple[str, ...] = ()

    def report(self) -> Report:
        r = Report(self.name, self.title, self.written_by)
        for key, (schema, words) in self.keys.items():
            r.key(key, schema, words, key in self.optional)
        return r


DIFFERENCE = closed(
    {
        "where": said(text(), "Place in the JSON, such as pairs[3].pvalue."),
        "said": said(text(), "What the report has there, as JSON, shortened."),
        "found": said(text(), "What was computed from the scores."),
    }
)
HEADLINE = closed({"said": said(text(), "In the report."), "found": said(text(), "Computed from the scores.")})
VERIFY_REPORT = Plain(
    "bakeoff.verify-report/1", "Verification of a report", "bakeoff verify REPORT.json --json",
    {
        "ok": (yes_or_no(), "Whether everything is as the scores give it, and was compared."),
        "verdict": (text(), "The same as a sentence."),
        "report": (text(), "The file."),
        "kind": (text(), "Of the report."),
        "scores": (text(), "What its scores were compared with; empty if nothing was given."),
        "better": (text(), "Which scores are good in it; empty for battles."),
        "written_by": (text(), "Version of bakeoff that wrote it."),
        "headline": (HEADLINE, "The sentence of its verdict."),
        "checked": (COUNT, "Values compared."),
        "tolerance": (number(), "Relative, of numbers: 0 where the same versions made the report."),
        "differences": (list_of(DIFFERENCE), "Every value that differs."),
        "notes": (NAMES, "What was not checked, and why numbers may differ."),
    },
)  # fmt: skip
VERIFY_STORE = Plain(
    "bakeoff.verify/1", "Verification of a store", "bakeoff verify RUNS.sqlite --json",
    {
        "ok": (yes_or_no(), "Whether every decision was reproduced."),
        "n_problems": (COUNT, "Of the experiment."),
        "n_finished": (COUNT, "Problems that are finished."),
        "n_runs": (COUNT, "Runs in the store."),
        "n_decisions": (COUNT, "Decisions that were computed again."),
        "n_conflicts": (COUNT, "Runs that gave another score when repeated."),
        "digest": (text(), "SHA-256 of all runs."),
        "findings": (NAMES, "What is inconsistent."),
    },
)  # fmt: skip
KEPT = closed(
    {
        "note": said(text(), "What was said of it."),
        "problems": said(COUNT, "How many."),
        "runs": said(pair_of(COUNT), "Fewest and most of a problem."),
        "facts": said(by_name(text()), "What must not differ between two sides, such as tool and machine."),
    }
)
BASELINE = Plain(
    "bakeoff.baseline.show/1", "What a store of baselines holds", "bakeoff baseline show --json",
    {"pinned": (KEPT, "The pinned baseline."), "previous": (KEPT, "The previous one.")}, ("pinned", "previous"),
)  # fmt: skip
FIRED = closed(
    {
        "code": said(text(), COMMON["code"]),
        "severity": said(text(), COMMON["severity"]),
        "text": said(text(), COMMON["text"]),
    }
)
DEMO = Plain(
    "bakeoff.demo/1", "What a demonstration fires", "bakeoff demo CODE --json",
    {
        "code": (text(), "The caution that it is of, or clean."),
        "run": (text(), "The command, or the code, that is run."),
        "cautions": (list_of(FIRED), "The cautions that it fires."),
    },
)  # fmt: skip
OF_STATUS = closed(
    {
        "name": said(text(), "The algorithm."),
        "n_runs": said(COUNT, "Its runs."),
        "n_failed": said(COUNT, "Those that failed."),
        "n_attempts": said(COUNT, "Failed attempts that were repeated."),
        "first_error": said(text(), "Of the first failure; empty without one."),
    }
)
COORDINATOR = closed(
    {
        "host": said(text(), "Machine."),
        "pid": said(whole(), "Process."),
        "command": said(text(), "That resumes it."),
        "started": said(number(), "Seconds since 1970."),
        "seen": said(number(), "Seconds since 1970, at its last sign of life."),
    }
)
STATUS = Plain(
    "bakeoff.status/1", "Progress of an experiment", "bakeoff status RUNS.sqlite --json",
    {
        "store": (text(), "The file."),
        "state": (text(), "running, finished, …"),
        "race": (yes_or_no(), "Whether it is a race."),
        "n_problems": (COUNT, "Of the experiment."),
        "n_finished": (COUNT, "Problems that are finished."),
        "n_runs": (COUNT, "Runs in the store."),
        "n_runs_planned": (or_null(COUNT), "In all; null where it depends on the scores."),
        "n_failed": (COUNT, "Runs that failed."),
        "n_attempts": (COUNT, "Failed attempts that were repeated."),
        "n_conflicts": (COUNT, "Runs that gave another score when repeated."),
        "algorithms": (list_of(OF_STATUS), "One entry per algorithm."),
        "coordinator": (or_null(COORDINATOR), "The process that makes the runs, or the last one that did."),
        "files": (NAMES, "The store and its companions: a copy needs all."),
        "next": (text(), "What to do."),
    },
)  # fmt: skip


ALL: tuple[Callable[[], Report], ...] = (
    compare, sensitivity, bayes, plackett_luce, scores, per_problem, iqm, ratings, check, history, timing, evaluate,
    profile, runtimes, leaderboard, tradeoff, curves, experiment, run, race, plan, study_race, study_race_errors,
    study_power, study_known_truth, VERIFY_REPORT.report, VERIFY_STORE.report, STATUS.report,
    BASELINE.report,
    DEMO.report,
)  # fmt: skip
