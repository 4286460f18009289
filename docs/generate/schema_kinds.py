"""What each kind of result writes as JSON: its keys, in their order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal

import schema_shapes as shapes
from schema_shapes import Count, Number, Undecided
from schema_types import (
    NUMBER,
    Keys,
    More,
    Schema,
    Walker,
    annotation,
    closed,
    description,
    has,
    hint_of,
    hints,
    or_null,
    with_words,
)
from schema_words import COMMON

from bakeoff.analyses import by_kind, by_schema
from bakeoff.analyses.compare.reporting.data import OF_MARGIN_KEYS
from bakeoff.analyses.compare.statistics import Comparison, Pair, ScoreTable
from bakeoff.analyses.compare.statistics.verdicts import OF_MARGIN
from bakeoff.analyses.per_problem.statistics._per_problem import PerProblem
from bakeoff.analyses.plan.reporting.answers import KEYS as PLAN_KEYS
from bakeoff.analyses.plan.reporting.pilot import KEYS as PILOT_KEYS
from bakeoff.analyses.sensitivity.statistics.results import SensitivePair, Sensitivity
from bakeoff.analysis import Analysis
from bakeoff.errors import Caution
from bakeoff.parameter import Parameter
from bakeoff.places import load
from bakeoff.plan import PowerCurve
from bakeoff.plan._instances import InstancePlan
from bakeoff.plan._questions import QuestionPlan
from bakeoff.plan._repetitions import RepetitionPlan
from bakeoff.protocols.protocol import TABLE, TEXTS, planned_parameters
from bakeoff.report.data import all_but
from bakeoff.report.reporting import name_of
from bakeoff.scores.margins import Margin
from bakeoff.wings.bayes import (
    FriedmanPosterior,
    Overview,
    PairPosterior,
    RankPosterior,
    SignedRankPosterior,
    SignPosterior,
)
from bakeoff.wings.bayes._correlated_t import CorrelatedTPosterior
from bakeoff.wings.bayes._folds import FoldsPosterior
from bakeoff.wings.bayes._plackett_luce import PlackettLucePosterior
from bakeoff.wings.bayes.analysis.reporting import document as bayes_data, folds as folds_data
from bakeoff.wings.boards.evaluate.statistics import Evaluation, EvaluationPair, ModelEstimate
from bakeoff.wings.boards.leaderboard.statistics import Leaderboard
from bakeoff.wings.boards.ratings.board import RatedChange, RatedCovariate, RatedPair, Ratings
from bakeoff.wings.curves.curves.statistics.results import IF_ANY, CurveTable
from bakeoff.wings.curves.profile.statistics._profile import Profile
from bakeoff.wings.guard.check.statistics.results import Check
from bakeoff.wings.guard.timing._time_ratios import Timing
from bakeoff.wings.run._race import RunRaceResult
from bakeoff.wings.run._run import RunResult
from bakeoff.wings.run.analysis.results import ExperimentAnalysis, PowerProfile
from bakeoff.wings.run.racing.results import RaceResult
from bakeoff.wings.run.run.reporting.document import KEYS as RUN_KEYS
from bakeoff.wings.run.store.lease import Coordinator
from bakeoff.wings.run.store.status import AlgorithmStatus, StoreStatus
from bakeoff.wings.run.verification import Verification
from bakeoff.wings.study._known_truth import KnownTruth, TruthRow
from bakeoff.wings.study._power import PowerStudy
from bakeoff.wings.study.power_measures import PowerRow
from bakeoff.wings.verify.results import Difference, ReportVerification

NAMES = list[str]
BY_NAME = dict[str, float]
GRID = list[list[float]]
SIZES = "better n_problems n_algorithms"
SOURCES = "references versions input_sha256 command?"
ORIGIN = f"metric? cautions dropped filled {SOURCES}"
NO_TABLE = "cautions references versions command?"
CALL = "request added_cautions"
ASKED = f"{CALL} scores"


ESTIMAND: Schema = {
    "description": "What the numbers are about.",
    **closed(
        {
            "weights": {"description": "What counts equally: tasks, problems, clusters or runs.", "type": "string"},
            "what": {"description": "The mean that is estimated; empty of ranks within problems.", "type": "string"},
            "over": {"description": "The units it is taken over; empty of ranks.", "type": "string"},
            "runs": {"description": "What a score of several runs is; empty with one.", "type": "string"},
        },
        [],
    ),
}


@dataclass
class Report:
    """The schema of one kind: ``keys`` in their order, with "?" where one may be missing.

    The type of a key is in ``own``, else in ``Common``, else that of the attribute of one of ``results``.
    """

    name: str
    title: str
    written_by: str
    keys: str
    results: Sequence[type]
    own: Mapping[str, Any]
    walker: Walker

    def properties(self) -> dict[str, Schema]:
        return {key.rstrip("?"): self.property_of(key.rstrip("?")) for key in self.keys.split()}

    def property_of(self, key: str) -> Schema:
        if key == "request":
            return self.own.get(key) or request(by_schema()[self.name].parameters)
        own = self.own.get(key)
        known = self.results if shapes.Common in self.results else (shapes.Common, *self.results)
        for record in known:
            if has(record, key):
                return self.walker.attribute(record, key, own)
        found = self.walker.of_hint(own, key)
        return found if "description" in found else with_words(found, COMMON[key])

    def closed(self, **head: Schema) -> Schema:
        optional = [key.rstrip("?") for key in self.keys.split() if key.endswith("?")]
        record = by_schema().get(self.name)
        more = {"protocol": protocol(record.command)} if record is not None and record.planned else {}
        kind = by_kind().get(self.name.removeprefix("bakeoff.").removesuffix("/1"))
        about = {"estimand": ESTIMAND} if kind is not None and kind.estimates else {}
        return closed(head | self.properties() | about | more, [*optional, *more])

    def document(self) -> dict[str, Any]:
        """The whole schema."""
        kind = {"description": "The kind of this report and the version of its keys.", "const": self.name}
        return {
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "$id": f"urn:{self.name.replace('.', ':').replace('/', ':')}",
            "title": self.title,
            "$comment": f"Written by {self.written_by}. Generated by docs/generate/schemas.py from the result types.",
            **self.closed(schema=kind),
            "$defs": dict(sorted(self.walker.definitions.items())),
        }


ERROR = Annotated[float | None, "Of the mean, in score units; null where a task has one problem, which shows none."]
UNPAIRED = Annotated[float | None, "The error without the pairing, in score units; null as standard_error."]
ENDS = Annotated[tuple[float | None, float | None], "At level 1 − alpha, for this one by itself; null: unbounded."]
UNKNOWN: dict[type, dict[str, Any]] = {
    ModelEstimate: {"standard_error": ERROR, "interval": ENDS},
    EvaluationPair: {"standard_error": ERROR, "interval": ENDS, "unpaired_error": UNPAIRED},
}
"""Numbers of means over tasks, which are infinite where a task has one problem."""


def report(
    name: str,
    title: str,
    written_by: str,
    keys: str,
    /,
    *results: type,
    nested: Mapping[type, Sequence[str]] | None = None,
    own_of: Mapping[type, Mapping[str, Any]] | None = None,
    optional: Keys | None = None,
    **own: Any,
) -> Report:
    walker = Walker(COMMON, nested or {}, {**UNKNOWN, **(own_of or {})}, {CurveTable: IF_ANY, **(optional or {})})
    return Report(f"bakeoff.{name}/1", title, written_by, keys, results, own, walker)


SOURCE: dict[str, Any] = {
    "scores": shapes.Table,
    "tables": Annotated[dict[str, shapes.Table], "The table of each metric."],
    "curves": Annotated[CurveTable, "The curves on the grid."],
}
NOT_ALWAYS = {CurveTable: ("runs",)}  # which are there over runs only


def of_record(record: Analysis) -> Report:
    """Of an analysis whose keys are attributes of its result, or computed by functions that say what they return."""
    reporting, result = load(record.describes), load(next(iter(record.drawn_by)))
    source = record.source[0] if record.source else "scores"
    own = {source: SOURCE[source]}
    for name, where in (key for key in reporting.keys if isinstance(key, tuple)):
        own[name] = (
            annotation(where) if callable(where) else Annotated[hint_of(result, where), description(result, where)]
        )
    keys = (
        f"verdict decision {' '.join(map(name_of, reporting.keys))} {ORIGIN if reporting.of_table else NO_TABLE} {CALL}"
    )
    assert record.title, f"{record.kind} has no title"
    return report(
        record.schema.removeprefix("bakeoff.").removesuffix("/1"), record.title,
        f"bakeoff {record.command} and {record.function}", f"{keys} {source}", result, optional=NOT_ALWAYS, **own,
    )  # fmt: skip


def protocol(command: str) -> Schema:
    """What was planned, and what departs from it."""
    texts = {"type": "string"}
    choices = {name: {"description": text} for name, text in (TEXTS | TABLE).items()}
    choices |= {one.name: {"description": one.text} for one in planned_parameters(command)}
    departure = {
        "choice": texts | {"description": "The choice that was not kept."},
        "planned": texts | {"description": "What the protocol says."},
        "found": texts | {"description": "What was done."},
    }
    listed = {"description": "Every choice that was not kept.", "type": "array", "items": closed(departure)}
    whole = {
        "sha256": texts | {"description": "Of the content, as `bakeoff protocol seal` prints it."},
        "content": {"description": "Every choice, as sealed."}
        | closed({"command": {"description": "The command that it plans.", "const": command}} | choices),
        "departures": listed,
        "reason": texts | {"description": "Why it departs; empty without departures."},
    }
    return {"description": "What was planned before the scores were seen, if anything was."} | closed(whole)


def request(parameters: Sequence[Parameter]) -> Schema:
    arguments = closed({one.name: argument(one) for one in parameters})
    del arguments["required"]
    return {"description": "Arguments of the call, as given; null or absent: the default."} | arguments


def argument(parameter: Parameter) -> Schema:
    """Its words, types and choices, and its default."""
    found: Schema = {"description": parameter.text}
    if parameter.checked_by:
        found["type"] = ["object", "null"]
    elif parameter.type is bool:
        found["type"] = "boolean"
    else:
        types = {str: ["string"], int: ["integer"], float: ["number"]}[parameter.type]
        found["type"] = [
            *types,
            *["string"] * (parameter.text_too and parameter.type is not str),
            *["array"] * parameter.several,
            "null",
        ]
        if parameter.choices and not parameter.several:
            found["enum"] = [*parameter.choices, None]
    default = parameter.default
    return found if default is None else {**found, "default": list(default) if isinstance(default, tuple) else default}


def compare() -> Report:
    more = "margin? means n_clusters? detectable missing?"
    return report(
        "compare", "Comparison of algorithms", "bakeoff compare and bo.compare",
        f"verdict decision {SIZES} {' '.join(key for key in OF_MARGIN_KEYS[Comparison] if key != 'margin')} {more} "
        f"{ORIGIN} {ASKED}",
        Comparison,
        nested={**OF_MARGIN_KEYS, Pair: (*OF_MARGIN_KEYS[Pair], "n_problems", "bounds")},
        own_of={Pair: {"adjusted": BY_NAME}},
        optional={Pair: (*OF_MARGIN, "n_problems", "bounds")},
        omnibus=shapes.test, companion=shapes.test | None, mean_ranks=BY_NAME, pairs=list[Pair],
        means=Annotated[BY_NAME, "Mean score by algorithm."],
        margin=Annotated[Margin, "The smallest difference that matters."],
        n_clusters=Annotated[Count, "Clusters of problems, where these are the units."],
        detectable=Annotated[shapes.Detectable | None, "The effect that this many problems would find."],
        missing=Annotated[shapes.Missing, "Of a table with missing scores."],
    )  # fmt: skip


def bayes() -> Report:
    either = {"anyOf": [NUMBER, {"type": "array", "items": NUMBER}]}
    named = {"type": "object", "additionalProperties": either}
    by_algorithm = dict.fromkeys(bayes_data._BY_NAME, Annotated[Any, More(**named)])
    by_algorithm |= dict.fromkeys(("prior_ranks", "quantiles"), Annotated[Any, More(**or_null(named))])
    both = {"sign": SignPosterior | None, "signed_rank": SignedRankPosterior | None}
    joint = hint_of(Overview, "joint")
    return report(
        "bayes", "Bayesian comparison", "bakeoff bayes and bo.bayes.overview",
        f"verdict decision {SIZES} n_clusters control gamma rope prior prior_ranking prior_strength recipe joint "
        f"statements ranks friedman friedman_exact pairs {ORIGIN} {ASKED}",
        Overview,
        nested=bayes_data.KEYS,
        own_of={RankPosterior: by_algorithm, PairPosterior: both,
                FriedmanPosterior: {**by_algorithm, "standard_error": float}},
        n_clusters=Count | None, joint=Annotated[joint, "What holds of all statements at once."],
        statements=Annotated[hint_of(joint, "statements"),
                             "For each pair the more probable statement, the most probable one first."],
        ranks=Annotated[RankPosterior, "Posterior of the ranks; numbers by algorithm."],
        friedman=Annotated[FriedmanPosterior, "Bayesian Friedman test; numbers by algorithm."],
        friedman_exact=Annotated[FriedmanPosterior | None, "The same with the exact region; null where out of reach."],
        pairs=Annotated[list[PairPosterior], "The Bayesian tests of each pair."],
    )  # fmt: skip


def plan() -> Report:
    setting, written = hints(PowerCurve), {*PLAN_KEYS[InstancePlan]} - {"effect_size"}
    loose: dict[str, Any] = {
        key: hint | None for key, hint in hints(InstancePlan).items() if key in setting and key in written
    }
    keys = [f"{key}?" for key in PLAN_KEYS[InstancePlan]]
    effect = More(anyOf=[NUMBER, {"type": "array", "items": NUMBER}])
    return report(
        "plan", "Plan of an experiment", "bakeoff plan and bo.plan.curve",
        f"verdict decision question? {' '.join(keys)} variance? repetitions? questions? question_variance? curve? "
        "cautions versions",
        InstancePlan,
        nested={**PLAN_KEYS, **PILOT_KEYS},
        **loose, decision=Undecided,
        question=Annotated[str, "What is asked: n, effect_size, power, alpha or curve."],
        effect_size=Annotated[Any, effect, "In standard deviations of the differences; or all algorithms' means."],
        variance=Annotated[shapes.Varying, "What varies in a pilot."],
        repetitions=Annotated[RepetitionPlan, "Runs per cell."],
        questions=Annotated[QuestionPlan, "Of an evaluation."],
        question_variance=Annotated[shapes.VaryingQuestions, "What varies."],
        curve=Annotated[PowerCurve, "Power curve."], versions=Annotated[dict[str, str], "Version of bakeoff."],
    )  # fmt: skip


COUNTS: dict[str, Any] = {
    name: Annotated[dict[str, Count] | None, f"Problems where it {what} the control; null without one."]
    for name, what in (("wins", "is better than"), ("ties", "ties with"), ("losses", "is worse than"))
}
MEASURES = [name for name in all_but(PowerRow) if name not in ("k", "test")]
RUN: dict[str, Any] = {
    "better": shapes.Better,
    "decision": shapes.Decision,
    "algorithms": Annotated[NAMES, COMMON["algorithms"]],
}
ANALYSIS: dict[str, Any] = {
    "question": Annotated[hint_of(ExperimentAnalysis, "question"), "As fixed before the first run."],
    "power": Annotated[PowerProfile, "Which effects the experiment could find."],
    "pairs": Annotated[list[shapes.RunPair], COMMON["pairs"]],
    "estimates": Annotated[hint_of(RunResult, "estimates"), "One entry per problem."],
    "looks": Annotated[hint_of(ExperimentAnalysis, "looks"), "Of a sequential experiment."],
}

SPECIAL = (
    compare(),
    report(
        "sensitivity", "Sensitivity of a comparison", "bakeoff sensitivity and bo.sensitivity",
        f"verdict decision {SIZES} control alpha pairwise primary recipe analyses left_out n_resamples decimals pairs "
        f"{ORIGIN} {ASKED}",
        Sensitivity, Comparison,
        nested={SensitivePair: (*all_but(SensitivePair), "sentence")},
        own_of={SensitivePair: {"sentence": Annotated[str, "What would change the verdict, in words."]}},
        pairs=list[SensitivePair],
    ),
    bayes(),
    report(
        "bayes-folds", "Bayesian comparison on one data set", "bakeoff bayes --folds and bo.bayes.folds",
        f"verdict decision {SIZES} n_folds correlation control rope gamma pairs {ORIGIN} {ASKED}",
        FoldsPosterior, nested=folds_data.KEYS,
        pairs=Annotated[list[CorrelatedTPosterior], "The Bayesian correlated t-test of each pair."],
    ),
    report(
        "bayes-plackett-luce", "Plackett–Luce model", "bakeoff bayes --method plackett-luce",
        f"verdict decision {SIZES} n_clusters n_rankings n_tied n_partial prior_strength gamma n_draws n_chains "
        f"strengths pairs predictive_p standard_error diagnostics {ORIGIN} {ASKED}",
        PlackettLucePosterior, decision=Undecided,
        n_clusters=Annotated[Count | None, "Clusters, each of which is one ranking; null: problems are."],
        strengths=Annotated[list[shapes.Strength], "One entry per algorithm."], pairs=list[shapes.StrongerPair],
    ),
    report(
        "scores", "Table of scores", "bo.score_table and --report scores.json",
        f"verdict decision {SIZES} problems algorithms values standard_deviations n_runs ranks averages mean_ranks "
        f"control clusters? wins ties losses {ORIGIN}",
        ScoreTable, decision=Undecided, **COUNTS, problems=NAMES, algorithms=NAMES,
        values=Annotated[GRID, "A row per problem; null: missing, or infinite."],
        standard_deviations=Annotated[GRID | None, "Of the runs; null where there is one per cell."],
        n_runs=Annotated[list[list[Count]], "A row per problem."],
        ranks=Annotated[GRID, "Within the problem, 1 is best; a row per problem."],
        averages=Annotated[BY_NAME, "Mean score by algorithm."], mean_ranks=Annotated[BY_NAME, "By algorithm."],
        clusters=Annotated[NAMES, "Cluster of each problem."],
    ),
    report(
        "per-problem", "Verdicts by problem", "bakeoff per-problem and bo.per_problem",
        f"verdict decision {SIZES} control correction alpha paired cells counts leaders {ORIGIN} {ASKED}",
        PerProblem, counts=Annotated[list[shapes.Counts], "One entry per pair."],
        leaders=Annotated[dict[str, NAMES], "By problem: the algorithms that none is shown to beat."],
    ),
    report(
        "ratings", "Ratings by who beat whom", "bakeoff ratings and bo.ratings",
        "verdict decision n_algorithms n_battles n_ties n_clusters alpha method penalty errors df critical n_resamples "
        "resamples_left_out ratings covariates covariance pairs tie_parameter deviance deviance_df deviance_pvalue "
        "log_likelihood boards n_boards unrated changes n_changes "
        f"metric? cautions dropped? filled? {SOURCES} request added_cautions scores? battles?",
        Ratings, n_battles=Annotated[float, "Comparisons of two; a tie counts half for each."],
        n_ties=Annotated[Number, "Among them, without a winner."], n_clusters=Count | None,
        ratings=Annotated[list[shapes.Rating], "One entry per algorithm."], pairs=list[RatedPair],
        covariates=Annotated[list[RatedCovariate], "What was held equal, and what it does."],
        boards=Annotated[list[shapes.Board], "Ratings by the battles of each category, where they have any."],
        unrated=Annotated[list[shapes.Unrated], "Categories without ratings of their own."], changes=list[RatedChange],
        battles=Annotated[shapes.Battles, "The battles, where they are no table of scores."],
    ),
    report(
        "check", "Check against a baseline", "bakeoff check and bo.check",
        "verdict decision sentence better margin alpha correction level scale test paired unit strict rows only_new "
        f"diagnostics {ORIGIN} {ASKED}",
        Check, decision=Annotated[Literal["ok", "regressed", "inconclusive"], shapes.DECIDED],
        sentence=Annotated[str, "As verdict."],
    ),
    report(
        "time", "Timed commands", "bakeoff time and bo.time_ratios",
        "verdict decision better unit control alpha precision design n_rounds commands pairs order_effect level "
        f"{ORIGIN} {ASKED}",
        Timing, unit=Annotated[Any, More(const="s"), "Seconds."], level=Number,
    ),
    report(
        "profile", "Performance profiles", "bakeoff profile and bo.profile",
        f"verdict decision kind cell over {SIZES} n_clusters band at curves swap flips {ORIGIN} {ASKED}",
        Profile, decision=Undecided,
        kind=Annotated[Literal["ratio", "difference", "data", "score"], "What τ is."],
        at=Annotated[list[shapes.At], "Shares at some tau."],
        curves=Annotated[list[shapes.ProfileCurve], "One entry per algorithm."],
    ),
    report(
        "leaderboard", "Leaderboard", "bakeoff leaderboard and bo.leaderboard",
        f"{SIZES} verdict decision alpha by unit over n_clusters exact critical candidates leading rank_intervals "
        f"groups winner standings pairs {ORIGIN} {ASKED}",
        Leaderboard, Evaluation, pairs=list[EvaluationPair],
    ),
    report(
        "experiment", "Report of an experiment", "bakeoff run --report REPORT.json and bo.run",
        "verdict decision better algorithms n_problems n_planned n_dropped n_runs n_failed n_beyond reasons digest "
        f"question correction stopped_early looks power pairs estimates {ORIGIN}",
        ExperimentAnalysis, RunResult, nested=RUN_KEYS, **RUN, **ANALYSIS,
    ),
    report(
        "run", "A finished run", "bakeoff run --json",
        "store better algorithms n_problems n_runs n_failed n_retried reasons differences statistic method allocation "
        "digest verdict decision question pairs looks stopped_early n_beyond power estimates cautions versions",
        RunResult, ExperimentAnalysis, shapes.Common, nested=RUN_KEYS,
        cautions=Annotated[list[Caution], COMMON["cautions"]], store=Annotated[str, "The file that keeps the runs."],
        **RUN, **ANALYSIS,
    ),
    report(
        "race", "A race", "bakeoff race, bo.race and bo.race.replay",
        "verdict decision " + " ".join(
            key if key in all_but(RaceResult, "metric") else f"{key}?" for key in all_but(RunRaceResult, "contents")
        ) + " saved references versions command?",
        RunRaceResult, shapes.Common, decision=shapes.Decision,
        saved=Annotated[float, "Share of the full cost that was not spent."],
    ),
    plan(),
    report(
        "study-power", "Power on draws of problems", "bakeoff study power and bo.study.power",
        f"verdict decision {SIZES} a b tests size unit drawn_from bias draws alpha scale scale_asked lead seed rows "
        f"{ORIGIN}",
        PowerStudy, decision=Undecided,
    ),
    report(
        "study-known-truth", "Power where the truth is known", "bakeoff study power --known-truth",
        f"verdict decision {SIZES} a b null tests size unit drawn_from shift draws alpha scale seed rows {ORIGIN}",
        KnownTruth, decision=Undecided,
        nested={TruthRow: ("test", "shift", "errors", "at_size", *MEASURES)},
        own_of={TruthRow: {name: Annotated[hint_of(PowerRow, name), description(PowerRow, name)] for name in MEASURES}},
        rows=Annotated[list[TruthRow], "Per procedure and shift."],
    ),
    report(
        "verify-report", "Verification of a report", "bakeoff verify REPORT.json --json",
        "ok verdict report kind scores better written_by headline checked tolerance differences notes",
        ReportVerification, nested={Difference: ("where", "said", "found")},
        ok=Annotated[bool, "Whether everything is as the scores give it, and was compared."],
        verdict=Annotated[str, "The same as a sentence."], kind=Annotated[str, "Of the report."],
        written_by=Annotated[str, "Version of bakeoff that wrote it."],
        scores=Annotated[str, "What its scores were compared with; empty if nothing was given."],
        better=Annotated[str, "Which scores are good in it; empty for battles."],
        differences=Annotated[list[Difference], "Every value that differs."],
        headline=Annotated[shapes.Headline, "The sentence of its verdict."],
    ),
    report(
        "verify", "Verification of a store", "bakeoff verify RUNS.sqlite --json",
        "ok n_problems n_finished n_runs n_decisions n_conflicts digest findings", Verification,
        n_problems=Annotated[Count, "Of the experiment."], ok=Annotated[bool, "Whether every decision was reproduced."],
    ),
    report(
        "status", "Progress of an experiment", "bakeoff status RUNS.sqlite --json",
        "store state race n_problems n_finished n_runs n_runs_planned n_failed n_attempts n_conflicts part "
        "algorithms coordinator files next",
        shapes.Status, StoreStatus, nested={Coordinator: ("host", "pid", "command", "started", "seen")},
        store=Annotated[str, "The file."], n_problems=Annotated[Count, "Of the experiment."],
        algorithms=list[AlgorithmStatus],
    ),
    report(
        "baseline.show", "What a store of baselines holds", "bakeoff baseline show --json", "pinned? previous?",
        pinned=Annotated[shapes.Baseline, "The pinned baseline."],
        previous=Annotated[shapes.Baseline, "The previous one."],
    ),
    report(
        "check-refused", "Runs that could not be compared", "bakeoff check --json and --report FILE.json",
        "verdict decision",
        verdict=Annotated[str, "NOT COMPARABLE, and why no run could be compared."],
        decision=Annotated[Literal["not comparable"], "The same as a word for scripts."],
    ),
    report(
        "demo", "What a demonstration fires", "bakeoff demo CODE --json", "code object run cautions", shapes.Demo,
        cautions=Annotated[list[shapes.FiredCaution], "The cautions that it fires."],
    ),
)  # fmt: skip
ALL = (
    *SPECIAL,
    *(of_record(record) for name, record in by_schema().items() if name not in {one.name for one in SPECIAL}),
)
