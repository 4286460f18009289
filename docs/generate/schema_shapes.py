"""Objects of JSON that no class of results is: their keys, what each is, and which may be missing.

One with a docstring is a definition; the others are written out where they stand.
"""

from typing import Annotated, Any, Literal, NotRequired, TypedDict

from schema_types import More

from bakeoff.errors import Caution
from bakeoff.plan._question_variance import QuestionVariance
from bakeoff.plan._variance_components import VarianceComponents
from bakeoff.wings.boards.ratings.board import RatedCovariate, RatedPair
from bakeoff.wings.run.analysis.results import PairEffect

Count = Annotated[int, More(minimum=0)]
Number = Annotated[Any, More(type=["number", "null"])]  # not a share, whatever its name
Score = Annotated[Any, More(anyOf=[{"type": "number"}, {"enum": ["inf", "-inf"]}])]
ScoreOrNull = Annotated[Any, More(anyOf=[{"type": "number"}, {"enum": ["inf", "-inf"]}, {"type": "null"}])]
Place = Annotated[list[str], "A problem and an algorithm."]
Better = Annotated[Literal["lower", "higher"], "Which scores are good."]
DECIDED = (
    "A word for scripts. difference: of at least one pair; equal, not worse: each pair; none: no difference is shown; "
    "cannot tell: no outcome could have shown one."
)
Decision = Annotated[Literal["difference", "equal", "not worse", "none", "cannot tell"], DECIDED]
Undecided = Annotated[None, "null: nothing is decided."]
Share = Annotated[Any, More(type="number", minimum=0, maximum=1)]


class predicted(TypedDict):
    """How predictions and the truth became the numbers of the table."""

    metric: str  # as it was asked for, such as auc or f1:macro
    label: str  # as reports say it
    scale: NotRequired[str]  # logit, atanh or log: the rows are contributions of items to a metric of all of them
    about: NotRequired[str]  # which class is positive, and the like
    classes: NotRequired[list[str]]  # class of each item, where those of each class are a sample of their own
    truth: NotRequired[list[float]]  # 1 of positives, 0 of negatives
    predictions: NotRequired[list[list[float]]]  # what each model says of each item, a row per item


class scores(TypedDict):
    """Scores with their names. JSON has no infinity: the words inf and -inf stand for it."""

    metric: NotRequired[str]  # what the scores are
    unit: NotRequired[str]  # unit of the scores, such as s
    better: Better
    problems: list[str]  # rows
    clusters: NotRequired[list[str]]  # cluster of each problem, in their order
    tasks: NotRequired[list[str]]  # task of each problem, in their order
    weights: NotRequired[str]  # what counts equally, where that was asked for: tasks, problems or clusters
    order: NotRequired[list[float]]  # place of each problem in time, where their names tell it
    folds: NotRequired[float]  # share of the data in each test set, where runs are folds
    serial: NotRequired[bool]  # whether rows are one series in time, where that was said
    run_kind: NotRequired[str]  # what a run is: seed, split, answer, process or iteration
    run_ids: NotRequired[list[Any]]  # name of each run: one list for all cells, or one per cell
    status: NotRequired[list[Any]]  # what happened to each run: ok, timeout, …, by problem and algorithm
    algorithms: list[str]  # columns
    values: list[list[ScoreOrNull]]
    """The scores that were analysed, a row per problem; of runs, what stands for the cell. null: missing."""
    runs: list[list[list[Score]]] | None  # the runs of each cell, a row per problem; null where there is one per cell
    dropped: list[str]  # problems left out when the scores were read
    filled: list[Place]  # cells whose missing score was filled in
    differing: NotRequired[list[Any]]  # what differs between the sources of the columns
    hosts: NotRequired[list[str]]  # the machines each algorithm was measured on; empty text where they are unknown
    rows: NotRequired[str]  # what a row was, where that was said: problems, algorithms, scores or targets
    numbered: NotRequired[bool]  # the columns of the source are called 0, 1, 2, …, like runs
    spreads: NotRequired[int]  # cells that hold a mean and its spread, of which the mean was read
    left_out: NotRequired[list[Any]]  # tasks that lack the metric, each with its number of problems
    columns: NotRequired[dict[str, str]]  # of each role (problem, algorithm, run, score, cluster, truth, …) the column
    unused: NotRequired[list[str]]  # columns that are neither names nor scores
    source: NotRequired[str]  # the program that wrote the file, where another one did
    n_files: NotRequired[int]  # result files that were read
    not_taken: NotRequired[list[str]]  # the other files of the folders that were given
    predicted: NotRequired[predicted]  # of predictions, how they were judged
    sha256: str  # of directions, names and every bit of every run
    file_sha256: str | None  # of the file; null where the scores came from no file


Table = Annotated[scores, "The table that was analysed."]


class Common(TypedDict):
    verdict: str  # the sentence that every report begins with
    decision: Decision
    better: Better
    n_problems: Count  # problems that were analysed
    n_algorithms: Count  # algorithms that were analysed
    metric: NotRequired[str]  # what the scores are, such as accuracy
    cautions: list[Caution]  # what a reader must know before quoting the result, the gravest first
    dropped: list[str]  # problems left out when the scores were read
    filled: list[Place]  # cells whose missing score was filled in
    references: list[str]  # keys of the bibliography: whom to cite (bakeoff cite REPORT.json)
    versions: dict[str, str]  # version of each package that computed the numbers
    input_sha256: str  # SHA-256 of the file, or of the table where there is none
    command: NotRequired[str]  # the command line, if one made the report
    added_cautions: list[Caution]  # those of cautions that the scores do not explain
    scores: Table


class test(TypedDict):
    """A test of all algorithms at once."""

    name: str  # the test
    statistic: NotRequired[float]  # its statistic; null where it is infinite
    df: list[Annotated[float, More(type="number")]]  # degrees of freedom
    pvalue: float  # two-sided
    log_pvalue: NotRequired[float]  # its natural logarithm
    method: NotRequired[str]  # "exact", "permutation", or the name of the approximation
    ties: NotRequired[str]  # "none" (the papers' form) or "corrected"
    n_tied: NotRequired[Count]  # problems with ties
    confidence_interval: NotRequired[tuple[Share, Share]]  # of a sampled p-value


class Detectable(TypedDict):
    effect: float  # in standard deviations of the differences
    power: float  # with which it is found
    level: float  # level of the pair at the correction in force
    sentence: str  # the same in words


class Missing(TypedDict):
    analysis: Literal["common", "bounds"]  # how missing scores were treated
    cells: list[Place]  # where a score is missing
    per_algorithm: dict[str, Count]  # missing scores of each algorithm


class Strength(TypedDict):
    algorithm: str
    p_first: float  # probability of being first on a new problem
    p_first_standard_error: float  # Monte Carlo error of p_first
    p_first_interval: tuple[float, float]  # credible interval of the probability to be first
    p_best: float  # probability of having the largest strength
    p_best_standard_error: float  # Monte Carlo error of p_best
    first_places: float  # problems on which it was first; ties shared
    strength: float  # posterior mean of its log strength
    sd: float  # standard deviation of its log strength
    interval: tuple[float, float]  # credible interval of its log strength


class StrongerPair(TypedDict):
    a: str
    b: str
    p_stronger: float  # probability that a is the stronger one
    p_ahead: float  # probability that a is ahead of b on a new problem
    p_ahead_standard_error: float  # Monte Carlo error of p_ahead


class Counts(TypedDict):
    a: str
    b: str
    plus: Count  # problems: a better
    equal: Count  # problems: practically equal, or no difference shown
    minus: Count  # problems: b better
    cannot_tell: Count  # problems: nothing can be told


class Rating(TypedDict):
    algorithm: str
    strength: float  # log strength; the mean is 0 unless a reference was given
    standard_error: float  # of the log strength
    interval: tuple[float, float]  # of the log strength, simultaneous
    elo: float  # the strength in Elo points: 400/log(10) each
    rank_interval: tuple[int, int]  # best and worst rank, simultaneous


class Battles(TypedDict):
    algorithms: list[str]  # names; pairs refer to them by place
    pairs: list[tuple[int, int]]  # first and second of each kind of battle
    counts: list[Any]  # wins, ties and losses of each
    clusters: NotRequired[list[str]]  # cluster of each entry of pairs
    covariates: NotRequired[list[str]]  # names
    differences: NotRequired[list[list[float]]]  # of each entry of pairs: covariates of the first less the second
    categories: NotRequired[list[str]]  # category of each entry of pairs


class Board(TypedDict):
    category: str  # its name
    n_battles: float  # of the category
    method: str  # "bradley-terry" or "davidson"
    penalty: str  # "none" or "firth"
    errors: str  # "information", "bootstrap", or "jackknife" of clusters beside covariates
    df: float | None  # of Student's t; null: normal distribution
    critical: float  # simultaneous intervals reach so many standard errors
    n_resamples: int
    resamples_left_out: int
    ratings: list[Rating]  # one entry per algorithm that met others in the category
    covariates: list[RatedCovariate]  # what was held equal
    covariance: list[list[float]]  # of log strengths
    pairs: list[RatedPair]
    tie_parameter: float | None  # Davidson's ν
    deviance: float | None  # against one probability for each pair; null with half wins or covariates
    deviance_df: int | None  # degrees of freedom of the deviance
    deviance_pvalue: float | None  # of the fit
    log_likelihood: float  # at the estimate
    cautions: list[Caution]


class Unrated(TypedDict):
    category: str  # its name
    reason: str  # why it has no ratings of its own


class At(TypedDict):
    tau: float  # distance to the best; null: any
    shares: list[float]  # in column order


class ProfileCurve(TypedDict):
    algorithm: str
    half_width: float  # of the band around share
    ever: Share  # share of problems within any tau
    tau: list[float]  # where its curve steps; null where it is infinite
    share: list[float]  # from each of these on


class Shapiro(TypedDict):
    statistic: float  # Shapiro and Wilk's W
    pvalue: float  # of normality


class RunPair(TypedDict):
    a: str
    b: str
    verdict: str  # what is shown, in one of the fixed wordings
    statistic: float  # of the fixed-size test; null where there is none
    pvalue: float | None  # valid at all looks; null where there is no test
    adjusted: float | None  # by Holm's procedure over the pairs; null as pvalue
    effect: Annotated[PairEffect | None, "How much better a is."]
    shapiro: Shapiro | None  # Shapiro–Wilk test of the differences; null for signs
    skewness: float  # of the differences
    bootstrap_skewness: float  # of their bootstrap mean
    differences: dict[str, float]  # by problem, positive where a is better


class Headline(TypedDict):
    said: str  # in the report
    found: str  # computed from the scores


class Baseline(TypedDict):
    note: str  # what was said of it
    problems: Count  # how many
    runs: tuple[Count, Count]  # fewest and most of a problem
    facts: dict[str, str]  # what must not differ between two sides, such as tool and machine


class FiredCaution(TypedDict):
    code: str
    object: str
    severity: str
    text: str


class Demo(TypedDict):
    code: str  # that of the caution, or clean
    object: str  # what the caution is about; empty if the code says it
    run: str  # the command, or the code, that is run
    cautions: list[FiredCaution]  # the cautions that it fires


class Status(TypedDict):
    n_failed: Count  # runs that failed
    n_attempts: Count  # failed attempts that were repeated
    files: list[str]  # the store and its companions: a copy needs all
    next: str  # what to do


class Varying(TypedDict):
    pairs: list[VarianceComponents]  # one entry per pair


class VaryingQuestions(TypedDict):
    pairs: list[QuestionVariance]  # one entry per pair
