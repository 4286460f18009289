"""An Evaluation in words, as the format-free Document, as JSON and as columns."""

import math
from collections.abc import Sequence
from functools import partial
from statistics import median

from bakeoff import numerals
from bakeoff.means.serial import serial_mean
from bakeoff.posthoc.groups import rank_words
from bakeoff.report import sections
from bakeoff.report.document import (
    Block,
    ColumnSpec,
    Figure,
    Paragraph,
    Points,
    Row,
    Section,
    Table,
    Text,
    better_of,
    equal_column,
    interval_column,
    legends,
    number_column,
    p_column,
    tabulate,
    text_column,
    two_names,
)
from bakeoff.report.methods import (
    contributed,
    direction,
    is_contributed,
    joined,
    mean_word,
    measured_first,
    problem_count,
    sample,
    software,
    text,
)
from bakeoff.report.reporting import SIZES, Columns, Reporting, Rows, ends, sheet_columns
from bakeoff.scores import Scores
from bakeoff.wings.boards.evaluate.statistics import Evaluation, EvaluationPair, ModelEstimate

MATTERS = 0.5  # share of the squared error from which more answers are worth asking for
CORRECTIONS = {"max-t": "largest |t|", "holm": "Holm", "bonferroni": "Bonferroni"}
PLURALS = {"process": "processes"}


def run_word(s: Scores) -> str:
    """The word for a run."""
    return s.run_kind if s.run_kind in _RUNS else "run"


def runs_averaged(s: Scores) -> str:
    """``4 answers``; empty with one run per cell."""
    if s.runs is None:
        return ""
    low, high, noun = int(s.n_runs.min()), int(s.n_runs.max()), run_word(s)
    if low == high:
        return numerals.count(low, noun, PLURALS.get(noun, ""))
    return f"{low} to {high} {PLURALS.get(noun, noun + 's')}"


def unit_word(result: Evaluation) -> str:
    """The word for what is independent."""
    return "task" if result.tasks == "new" else result.unit


def decided(pair: EvaluationPair) -> bool:
    """Was a difference shown?"""
    return pair.verdict in ("a better", "b better")


@sections.unless_one_process
def verdict(result: Evaluation) -> str:
    """Name the best model, and those that it is shown to beat."""
    if all(pair.verdict == "cannot tell" for pair in result.pairs):
        units = numerals.count(result.n_clusters, unit_word(result))
        return f"This experiment cannot tell: with {units} no outcome could show a difference at {result.alpha:g}."
    if len(result.pairs) == 1:
        return _one_pair(result, result.pairs[0])
    if result.control is not None:
        return _of_control(result, result.control)
    return _of_all_pairs(result)


def _one_pair(result: Evaluation, pair: EvaluationPair) -> str:
    pair = pair.turned if pair.difference < 0 else pair
    a, b, size = numerals.plain(pair.a), numerals.plain(pair.b), pair.difference
    interval = numerals.interval_words(pair.interval)
    interval_text = f"({numerals.percent(1 - result.alpha)} interval {interval}{_other_test(pair)})"
    if no_variation(pair):
        p = numerals.p_phrase(pair.pvalue, None, result.alpha)
        interval_text = f"(the same on each {unit_word(result)}; {p} by sign flips)"
    if no_variation(pair) and size == 0:
        return f"No difference shown between {a} and {b}: their scores are equal on each {unit_word(result)}."
    if decided(pair):
        return f"{a} is better than {b} by {numerals.score(size)} {interval_text}."
    return f"No difference shown between {a} and {b}: {numerals.score(size)} {interval_text}."


def no_variation(result: EvaluationPair | ModelEstimate) -> bool:
    """Is there no standard error, and so no interval by t?"""
    return result.method == "t" and result.standard_error == 0


def _other_test(pair: EvaluationPair) -> str:
    """McNemar's exact test decides, and where it shows nothing the score interval can leave out 0."""
    if pair.test == "mcnemar" and not decided(pair) and not pair.interval[0] <= 0 <= pair.interval[1]:
        return f" by Tango's score; McNemar's exact test decides, {numerals.p_phrase(pair.pvalue)}"
    return ""


def _of_control(result: Evaluation, name: str) -> str:
    better = [numerals.plain(p.b) for p in result.pairs if p.verdict == "a better"]
    worse = [numerals.plain(p.b) for p in result.pairs if p.verdict == "b better"]
    control, m = numerals.plain(name), len(result.pairs)
    if not better and not worse:
        return f"No difference shown between {control} and any of the {m} others."
    return f"{control} is {sections.better_and_worse(better, worse, m)}."


def _of_all_pairs(result: Evaluation) -> str:
    best = result.ranked[0]
    own = [p if p.a == best.algorithm else p.turned for p in result.pairs if best.algorithm in (p.a, p.b)]
    equal = {p.b for p in own if p.difference == 0}
    first = [e.algorithm for e in result.ranked if e is best or e.algorithm in equal]
    most = "highest" if result.scores.better == "higher" else "lowest"
    mean = f"the {most} {mean_word(result.scores)}, {numerals.score(best.mean)}"
    if len(first) > 1:
        shown = sum(map(decided, result.pairs))
        differ = f"{shown or 'none'} {'is' if shown < 2 else 'are'} shown to differ"
        return f"{numerals.name_list(first)} have {mean}; of {len(result.pairs)} pairs {differ}."
    name, others = numerals.plain(best.algorithm), len(result.estimates) - 1
    beaten = [numerals.plain(p.b) for p in own if p.verdict == "a better"]
    if not beaten:
        return f"{name} has {mean}, but is not shown to be better than any of the {others} others."
    sentence = f"{name} has {mean}, and is better than {sections.of_others(beaten, others)}"
    rest = [p.b for p in own if not decided(p)]
    if rest and len(rest) <= sections.MOST_NAMED:
        sentence += f"; it is not shown to differ from {numerals.name_list(rest)}"
    return f"{sentence}."


def basis(result: Evaluation) -> str:
    """Name the evidence behind the verdict."""
    each = runs_averaged(result.scores)
    sizes = problem_count(result.scores) + (f", {each} each" if each else "")
    if result.suites is not None:
        taken = "fixed" if result.tasks == "fixed" else "a sample of others"
        sizes += f", {numerals.count(len(result.suite_means), 'task')} ({taken})"
    return f"{law(result)}; {sizes}; {direction(result.scores)}."


def law(result: Evaluation) -> str:
    """Test, correction and level, in a line."""
    binary = result.pairs[0].test == "mcnemar"
    robust = result.unit == "cluster" and result.tasks == "fixed"
    test = "McNemar's exact test" if binary else "Paired t with clustered errors" if robust else "Paired t"
    if result.scores.serial:
        test = f"t over {result.n_clusters} independent averages of rows in time"
    if is_contributed(result.scores):
        test = "DeLong's test by t" if result.scores.metric == "AUC" else f"Paired t of the {result.scores.metric}"
    if len(result.pairs) == 1:
        return f"{test}, α = {result.alpha:g}"
    m = numerals.count(len(result.pairs), "pair")
    return f"{test}, {CORRECTIONS[result.correction]} over {m}, family-wise α = {result.alpha:g}"


def tied_words(result: Evaluation) -> list[tuple[str, str, str]]:
    """The tied sets, best first."""
    average = "" if is_contributed(result.scores) else " on average"
    which = {True: f"not shown to differ{average}", False: "differs from all others"}
    return [("", f"{numerals.name_list(group, 20)}: {which[len(group) > 1]}", "") for group in result.groups]


def detectable_words(result: Evaluation) -> str:
    """Which difference would have been found; empty where nothing could."""
    size, binary, single = result.detectable, result.pairs[0].test == "mcnemar", len(result.pairs) == 1
    if size is None:
        varied = all(pair.verdict == "cannot tell" for pair in result.pairs)
        return "" if varied else "What more problems would detect is unknown: the differences do not vary."
    where = "" if single else ", in the pair with the largest error and at the level of the correction"
    count = numerals.count(result.scores.n_problems, "problem")
    normal = {"cluster": "cluster means", "task": "task means", "problem": "mean differences"}[unit_word(result)]
    if binary and single:
        assumed = "This is the power of McNemar's exact test, with the variance estimated here."
    else:
        assumed = f"This assumes {normal} to be nearly normal, with the standard error estimated here."
    exact = " McNemar's exact test, which decides, has a little less power." if binary and not single else ""
    return (
        f"{count} detect a difference of {numerals.score(size)} with power 0.8{where}{_half(result)}. {assumed}{exact}"
    )


def _half(result: Evaluation) -> str:
    """What half of the detectable difference takes."""
    n, size = result.n_for_half, result.detectable
    if n is None or size is None:
        return ""
    noun = "task" if result.tasks == "new" else "cluster" if result.weights == "clusters" else "problem"
    alike = {"cluster": f" in {'tasks and ' * (result.suites is not None)}clusters of these sizes"}
    more = "" if noun != "problem" else alike.get(result.unit, " in these proportions" * (result.suites is not None))
    return f"; {numerals.score(size / 2)} takes {numerals.count(n, noun)}{more}"


def what_next(result: Evaluation) -> str:
    """Questions or answers?"""
    if result.scores.predicted is not None or result.scores.serial:
        return ""
    word = run_word(result.scores)
    shares = [p.noise_share for p in result.pairs if p.noise_share is not None]
    where = " in new clusters" if result.unit == "cluster" and result.tasks == "fixed" else ""
    more, answers = "tasks" if result.tasks == "new" else f"problems{where}", PLURALS.get(word, f"{word}s")
    if not shares:
        if result.scores.runs is not None:
            return ""
        return (
            f"Each problem was run once, so the noise of {answers} is unknown. Repeat some problems to see whether "
            f"more {more} or more {answers} are worth their cost."
        )
    share = median(shares)
    gain = numerals.in_percent(1 - math.sqrt(1 - share / 2))
    sentence = (
        f"In the median pair {numerals.in_percent(share)} of the squared standard error comes from the variation of "
        f"{answers} on one problem. Twice as many {more} would lower the standard error by 29 %, twice as many "
        f"{answers} by {gain}: "
    )
    if share < MATTERS:
        return f"{sentence}get more {more}."
    return f"{sentence}get more {more} if there are some; more {answers} help nearly as much."


_RUNS = {
    "seed": "runs are seeds",
    "split": "runs are splits that all share",
    "answer": "runs are answers to the same problem",
    "process": "runs are processes",
    "iteration": "runs are iterations in one process",
}


def methods(result: Evaluation) -> Text:
    """The paragraph for a paper."""
    s, unit = result.scores, unit_word(result)
    level = numerals.percent(1 - result.alpha)
    each = ""
    if s.runs is not None:
        what = _RUNS.get(s.run_kind or "", "runs were treated as independent of each other")
        each = f"Runs were averaged before anything else ({what}). "
    if result.pairs[0].test == "mcnemar":
        paragraph = (
            f"Shares have {level} Wilson intervals [@wilson1927]; two algorithms were compared on the same problems by "
            "the exact McNemar test [@mcnemar1947], with Tango's score interval for the difference [@tango1998]. "
        )
        return joined(sample(s), text(paragraph + _family(result)), software())
    how, factor = f"over {unit}s", ""
    if unit == "cluster":
        how = "over clusters of problems [@mackinnon2023;@miller2024]"
        factor = (
            " Standard errors come from leaving out one cluster at a time, with 1/Σw² − 1 degrees of freedom (w: "
            "shares of the clusters)."
        )
    if s.serial:
        how = f"by {serial_mean(s).words}, as rows in time resemble their neighbours"
    what = "Paired differences" if is_contributed(s) else "Means and paired differences"
    paragraph = f"{what} have standard errors {how}; intervals and tests are Student's.{factor} "
    if result.estimates[0].method == "wilson":
        paragraph += "Shares have Wilson's intervals [@wilson1927], those of the tasks joined by squares [@zou2009]. "
    rest = text(each + paragraph + _suites(result) + _family(result))
    return joined(sample(s), contributed(s), rest, software())


def _suites(result: Evaluation) -> str:
    if result.suites is None:
        return ""
    b = numerals.count(len(result.suite_means), "task")
    if result.tasks == "new":
        return f"The sample consists of the means of {b}, which represent others like them: t over tasks. "
    kind = "means over all problems of" if result.weights == "problems" else "macro averages over"
    return (
        f"Means are {kind} {b}, which are fixed: the standard error is that of problems within tasks, with "
        "Satterthwaite's degrees of freedom [@satterthwaite1946]. "
    )


def _family(result: Evaluation) -> str:
    m = len(result.pairs)
    if m == 1:
        return ""
    unit = unit_word(result)
    ranks = ""
    if result.control is None:
        ranks = " Ranks have intervals from the decided pairs, with the same simultaneous confidence [@klein2020]."
    if result.correction == "max-t":
        signs = f"all signs of the {unit}s" if result.exact else f"{result.n_resamples} choices of signs of the {unit}s"
        return (
            f"The {m} pairs were corrected by the distribution of the largest |t| under {signs}, shared by all "
            f"algorithms [@westfallyoung1993]. Differences and their residuals were flipped, and the larger p-value "
            f"counts; α = {result.alpha:g} for the family.{ranks}"
        )
    cite = {"holm": "Holm's procedure [@holm1979]", "bonferroni": "Bonferroni's correction [@dunn1961]"}
    return f"The {m} pairs were corrected by {cite[result.correction]}; α = {result.alpha:g} for the family.{ranks}"


def means(result: Evaluation) -> Table:
    """A row per model, the best mean first."""
    level = numerals.percent(1 - result.alpha)
    rows = result.ranked
    interval, legend = f"{level} interval", f"Rank: with simultaneous confidence {level}."
    shown: list[ColumnSpec[ModelEstimate]] = [
        text_column("name", "algorithm", lambda e: numerals.plain(e.algorithm)),
        equal_column("mean", mean_word(result.scores), rows, lambda e: e.mean, strong=True),
        equal_column("se", "standard error", rows, lambda e: e.standard_error, digits=3, rank=2),
        interval_column("interval", interval, rows, lambda e: _seen(e, e.interval)),
        number_column("rank", "rank", lambda e: rank_words(result.rank_intervals[e.algorithm]), legend=legend),
    ]
    if any(e.sigma2_within is not None for e in rows):
        word = run_word(result.scores)
        within = partial(_variance, "sigma2_within")
        shown.append(equal_column("within", f"variance of {word}s", rows, within, digits=3, rank=3))
    word = mean_word(result.scores)
    ways = {"wilson": "Wilson's intervals", "logit": "t on the logit scale", "atanh": "t on Fisher's z scale"}
    ways |= {"log": "t on the scale of log(1 − R²)", "exact": "of a value of 1, an exact lower bound"}
    used = [ways[method] for method in dict.fromkeys(e.method for e in rows) if method in ways]
    how = f" {'; '.join(used)}." if used else ""
    note = f"Intervals: for each {word} by itself; the paired difference shows whether two {word}s differ.{how}"
    caption = "Means, best first" if word == "mean" else f"{measured_first(result.scores)}, best first"
    return tabulate("means", caption, shown, rows, note=f"{note} {legends(shown)}")


def _seen(of: EvaluationPair | ModelEstimate, interval: tuple[float, float] | None) -> tuple[float, float] | None:
    return None if no_variation(of) else interval


def _variance(name: str, of: EvaluationPair | ModelEstimate) -> float | None:
    value: float | None = getattr(of, name)
    return None if value is None else max(0.0, value)


def suites(result: Evaluation) -> Table | None:
    """A row per task."""
    if not result.suite_means:
        return None
    names = [e.algorithm for e in result.ranked]
    columns, places = sections.algorithm_columns("task", names), [result.scores.index(name) for name in names]
    in_suites = ([s.means[j] for j in places] for s in result.suite_means)
    *each, macro = _by_suite([*in_suites, [e.mean for e in result.ranked]])
    heads = [f"{numerals.plain(s.suite)} (n = {s.n})" for s in result.suite_means]
    rows = [Row((head, *means)) for head, means in zip(heads, each, strict=True)]
    by_size = result.weights == "problems"
    kept = "fixed: the error is that of problems within them" if result.tasks == "fixed" else "a sample of tasks"
    return Table(
        key="suites",
        caption=f"{_of_each(result)} task",
        columns=columns,
        rows=[*rows, Row(("mean" if by_size else "macro average", *macro), "strong", ruled=True)],
        note=f"{'Questions' if by_size else 'Tasks'} count equally; the tasks are {kept}.",
        wide=len(names) > sections.WIDEST,
        square=True,
    )


def _by_suite(rows: list[list[float]]) -> list[list[str]]:
    """Shares with the same decimals in all rows; other metrics, which may have scales of their own, in each row."""
    flat = [mean for row in rows for mean in row]
    if not all(0 <= mean <= 1 for mean in flat):
        return [numerals.equal_decimals(row) for row in rows]
    shown = iter(numerals.equal_decimals(flat))
    return [[next(shown) for _ in row] for row in rows]


def pairs(result: Evaluation) -> list[Table]:
    """A row per pair."""
    alpha, rows = result.alpha, result.listed
    one, by_t, larger = len(rows) == 1, all(p.pvalue == p.t_pvalue for p in rows), ""
    p_value = "p (McNemar)" if rows[0].test == "mcnemar" else "p (t)" if by_t else "p"
    if p_value == "p":
        larger = "p: the larger of t's and the sign flips', because one cluster may dominate both mean and error."
    shown: list[ColumnSpec[EvaluationPair]] = [
        text_column("pair", "pair", two_names, wraps=True),
        equal_column("difference", "difference", rows, lambda p: p.difference, strong=True),
    ]
    shown += _interval_columns(result, rows)
    shown.append(p_column("pvalue", p_value, lambda p: p.pvalue, alpha, rank=0 if one else 1, legend=larger))
    if rows[0].test == "mcnemar":
        shown.append(p_column("t", "p (t)", lambda p: p.t_pvalue, alpha, rank=5))
    flips = f"Sign flips: of {unit_word(result)} sums, exact where these are symmetric."
    shown.append(p_column("flips", "p (sign flips)", lambda p: p.sign_flip, alpha, rank=4, legend=flips))
    if not one:
        shown.append(
            p_column("adjusted", f"adjusted p ({CORRECTIONS[result.correction]})", lambda p: p.adjusted, alpha)
        )
    shown.append(number_column("correlation", "correlation", lambda p: _two(p.correlation), rank=3))
    legend = "Unpaired/paired error: how much larger the standard error would be without the pairing."
    shown.append(number_column("gain", "unpaired/paired error", _gain, rank=2, legend=legend))
    if any(p.omega2 is not None for p in rows):
        legend = "ω²: variance of the true difference between problems."
        omega2 = partial(_variance, "omega2")
        shown.append(equal_column("omega2", "ω²", rows, omega2, digits=3, rank=5, legend=legend))
    shown.append(text_column("verdict", "verdict", better_of, wraps=True))
    note = f"Differences are positive where the first is better. {legends(shown)}"
    return sections.split_by_decision(rows, shown, decided, "Paired difference" if one else "Paired differences", note)


def _interval_columns(result: Evaluation, rows: Sequence[EvaluationPair]) -> list[ColumnSpec[EvaluationPair]]:
    """The interval of a single pair; of several, the simultaneous ones and their own."""
    level = numerals.percent(1 - result.alpha)
    if len(rows) == 1:
        legend = ""
        if rows[0].test == "mcnemar":
            legend = "The interval is Tango's; McNemar's p decides, and may exceed α although the interval excludes 0."
        title = f"{level} interval"
        return [interval_column("interval", title, rows, lambda p: _seen(p, p.interval), legend=legend)]
    title = f"simultaneous {level} interval"
    legend = "Simultaneous: all intervals cover together with this confidence; the adjusted p decides a pair."
    if result.correction == "holm":
        legend = "Simultaneous: Bonferroni's; Holm may decide a pair whose interval contains 0."
    return [
        interval_column("simultaneous", title, rows, lambda p: _seen(p, p.simultaneous), legend=legend),
        interval_column("interval", "own interval", rows, lambda p: _seen(p, p.interval), rank=6, in_paper=True),
    ]


def _gain(pair: EvaluationPair) -> str:
    return _two(pair.unpaired_error / pair.standard_error if 0 < pair.standard_error < math.inf else None)


def _two(value: float | None) -> str:
    return numerals.MISSING if value is None else numerals.decimals(value, 2)


def _next(result: Evaluation) -> Section | None:
    texts = [sentence for sentence in (detectable_words(result), what_next(result)) if sentence]
    blocks: tuple[Block, ...] = tuple(Paragraph((sentence,)) for sentence in texts)
    return Section("next", "What more problems would show", blocks) if blocks else None


def _plural(result: Evaluation) -> str:
    return f"{measured_first(result.scores)}s" if is_contributed(result.scores) else "Means"


def _of_each(result: Evaluation) -> str:
    return f"{measured_first(result.scores) if is_contributed(result.scores) else 'Mean'} of each"


def _of_predictions(result: Evaluation) -> Section | None:
    """Curves of predictions that have an order."""
    predicted = result.scores.predicted
    if predicted is None or predicted.predictions is None:
        return None
    if predicted.is_mean:
        drawn = Figure(result, "Calibration of the probabilities", key="calibration", kind="calibration")
        return Section("calibration-figure", "Calibration", (drawn,))
    return Section("roc-figure", "ROC curves", (Figure(result, "ROC curves with bands", key="roc", kind="roc"),))


def _body(result: Evaluation) -> list[Section | None]:
    drawn = Figure(result, f"{_plural(result)} with intervals, and tied sets", key="means")
    differences = Figure(result, "Paired differences with intervals", key="differences", kind="differences")
    groups = Points(tuple(tied_words(result))) if len(result.estimates) > 2 and result.groups else None
    return [
        sections.figure(_plural(result), drawn, "means-figure"),
        _of_predictions(result),
        Section("means", _of_each(result), (means(result),)),
        sections.one_block("suites", "Tasks", suites(result)),
        Section("differences-figure", "Paired differences", (differences,)),
        Section("pairs", "Each pair", tuple(pairs(result))),
        sections.one_block("groups", "Tied sets", groups),
        _next(result),
    ]


def _of_pairs(result: Evaluation) -> Columns:
    return sheet_columns(
        result.pairs,
        *("a", "b", "difference", "standard_error", "df", "pvalue", "adjusted", "sign_flip", "correlation", "omega2"),
        *ends("interval"),
        *ends("simultaneous", "simultaneous_low", "simultaneous_high"),
        "verdict",
    )


def _means(result: Evaluation) -> Rows:
    head = ("algorithm", "mean", "standard error", "low", "high", "best rank", "worst rank")
    ranks = result.rank_intervals
    return [head, *((e.algorithm, e.mean, e.standard_error, *e.interval, *ranks[e.algorithm]) for e in result.ranked)]


REPORT = Reporting[Evaluation](
    title=lambda result: f"Evaluation: {sections.sizes(result.scores)}",
    verdict=verdict,
    basis=basis,
    body=_body,
    on_screen=lambda result: ("means", "suites", *sections.if_few(result.pairs), "groups", "next"),
    methods=methods,
    keys=(
        *(*SIZES, "n_clusters", "unit", "control", "correction", "alpha", "tasks", "exact", "critical"),
        *("estimates", "pairs", "rank_intervals", "groups", "detectable", "n_for_half", ("suites", "suite_means")),
    ),
    main=_of_pairs,
    second=_means,
)
