"""From an Evaluation to the format-free Document, to JSON, and to columns."""

from functools import partial

from bakeoff import numerals
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
    better_of,
    equal_column,
    interval_column,
    legends,
    number_column,
    tabulate,
    text_column,
    two_names,
)
from bakeoff.report.telling import SIZES, Columns, Rows, Telling, ends, sheet_columns
from bakeoff.wings.boards.evaluate.figure.differences import DifferencesPlot
from bakeoff.wings.boards.evaluate.statistics import Evaluation, EvaluationPair, ModelEstimate
from bakeoff.wings.boards.evaluate.telling import sentences
from bakeoff.wings.boards.evaluate.telling.sentences import decided, verdict as verdict


def means(result: Evaluation) -> Table:
    """A row per model, the best mean first."""
    level = numerals.percent(1 - result.alpha)
    rows = result.ranked

    def rank(e: ModelEstimate) -> str:
        low, high = result.rank_intervals[e.algorithm]
        return str(low) if low == high else f"{low}–{high}"

    interval = f"{level} interval"
    shown: list[ColumnSpec[ModelEstimate]] = [
        text_column("name", "algorithm", lambda e: numerals.plain(e.algorithm)),
        equal_column("mean", "mean", rows, lambda e: e.mean, strong=True),
        equal_column("se", "standard error", rows, lambda e: e.standard_error, digits=3, rank=2),
        interval_column("interval", interval, rows, lambda e: _seen(e, e.interval)),
        number_column("rank", "rank", rank, legend=f"Rank: with simultaneous confidence {level}."),
    ]
    if any(e.sigma2_within is not None for e in rows):
        word = sentences.run_word(result.scores)
        within = partial(_variance, "sigma2_within")
        shown.append(equal_column("within", f"variance of {word}s", rows, within, digits=3, rank=3))
    wilson = " Wilson's intervals." if rows[0].method == "wilson" else ""
    note = f"Intervals: for each mean by itself; the paired difference shows whether two means differ.{wilson}"
    return tabulate("means", "Means, best first", shown, rows, note=f"{note} {legends(shown)}")


def _seen(of: EvaluationPair | ModelEstimate, interval: tuple[float, float] | None) -> tuple[float, float] | None:
    return None if sentences.no_variation(of) else interval


def _variance(name: str, of: EvaluationPair | ModelEstimate) -> float | None:
    value: float | None = getattr(of, name)
    return None if value is None else max(0.0, value)


def suites(result: Evaluation) -> Table | None:
    """A row per suite."""
    if not result.suite_means:
        return None
    names = [e.algorithm for e in result.ranked]
    columns, places = sections.algorithm_columns("suite", names), [result.scores.index(name) for name in names]
    in_suites = ([s.means[j] for j in places] for s in result.suite_means)
    *each, macro = _by_suite([*in_suites, [e.mean for e in result.ranked]])
    rows = [
        Row((f"{numerals.plain(s.suite)} (n = {s.n})", *means))
        for s, means in zip(result.suite_means, each, strict=True)
    ]
    by_size = result.weights == "question"
    kept = "fixed: the error is that of problems within them" if result.tasks == "fixed" else "a sample of tasks"
    return Table(
        key="suites",
        caption="Mean of each suite",
        columns=columns,
        rows=[*rows, Row(("mean" if by_size else "macro average", *macro), "strong", ruled=True)],
        note=f"{'Questions' if by_size else 'Suites'} count equally; the suites are {kept}.",
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
    level, alpha, rows = numerals.percent(1 - result.alpha), result.alpha, result.listed
    one, by_t, larger = len(rows) == 1, all(p.pvalue == p.t_pvalue for p in rows), ""
    p_value = "p (McNemar)" if rows[0].test == "mcnemar" else "p (t)" if by_t else "p"
    if p_value == "p":
        larger = "p: the larger of t's and the sign flips', because one cluster may dominate both mean and error."
    shown: list[ColumnSpec[EvaluationPair]] = [
        text_column("pair", "pair", two_names, wraps=True),
        equal_column("difference", "difference", rows, lambda p: p.difference, strong=True),
    ]
    if one:
        tango = rows[0].test == "mcnemar"
        legend = (
            "The interval is Tango's; McNemar's p decides, and may exceed α although the interval excludes 0."
            if tango
            else ""
        )
        of = f"{level} interval"
        shown.append(interval_column("interval", of, rows, lambda p: _seen(p, p.interval), legend=legend))
    else:
        title = f"simultaneous {level} interval"
        legend = "Simultaneous: all intervals cover together with this confidence; the adjusted p decides a pair."
        if result.correction == "holm":
            legend = "Simultaneous: Bonferroni's; Holm may decide a pair whose interval contains 0."
        simultaneous = interval_column("simultaneous", title, rows, lambda p: _seen(p, p.simultaneous), legend=legend)
        own = interval_column("interval", "own interval", rows, lambda p: _seen(p, p.interval), rank=6, in_paper=True)
        shown += [simultaneous, own]
    shown.append(
        number_column(
            "pvalue", p_value, lambda p: numerals.pvalue(p.pvalue, None, alpha), rank=1 if not one else 0, legend=larger
        )
    )
    if rows[0].test == "mcnemar":
        shown.append(number_column("t", "p (t)", lambda p: numerals.pvalue(p.t_pvalue, None, alpha), rank=5))
    flips = f"Sign flips: of {sentences.unit_word(result)} sums, exact where these are symmetric."
    shown.append(
        number_column(
            "flips",
            "p (sign flips)",
            lambda p: "" if p.sign_flip is None else numerals.pvalue(p.sign_flip, None, alpha),
            rank=4,
            legend=flips,
        )
    )
    if not one:
        name = sentences.CORRECTIONS[result.correction]
        shown.append(
            number_column("adjusted", f"adjusted p ({name})", lambda p: numerals.pvalue(p.adjusted, None, alpha))
        )
    shown += [
        number_column("correlation", "correlation", lambda p: _two(p.correlation), rank=3),
        number_column(
            "gain",
            "unpaired/paired error",
            lambda p: _two(p.unpaired_error / p.standard_error if p.standard_error > 0 else None),
            rank=2,
            legend="Unpaired/paired error: how much larger the standard error would be without the pairing.",
        ),
    ]
    if any(p.omega2 is not None for p in rows):
        legend = "ω²: variance of the true difference between problems."
        omega2 = partial(_variance, "omega2")
        shown.append(equal_column("omega2", "ω²", rows, omega2, digits=3, rank=5, legend=legend))
    shown.append(text_column("verdict", "verdict", better_of, wraps=True))
    note = f"Differences are positive where the first is better. {legends(shown)}"
    return sections.split_by_decision(rows, shown, decided, "Paired difference" if one else "Paired differences", note)


def _two(value: float | None) -> str:
    return numerals.MISSING if value is None else numerals.decimals(value, 2)


def _next(result: Evaluation) -> Section | None:
    texts = [sentence for sentence in (sentences.detectable_words(result), sentences.what_next(result)) if sentence]
    blocks: tuple[Block, ...] = tuple(Paragraph((sentence,)) for sentence in texts)
    return Section("next", "What more problems would show", blocks) if blocks else None


def _body(result: Evaluation) -> list[Section | None]:
    drawn = Figure(result, "Means with intervals, and tied sets", key="means")
    differences = Figure(DifferencesPlot(evaluation=result), "Paired differences with intervals", key="differences")
    groups = Points(tuple(sentences.tied_words(result))) if len(result.estimates) > 2 and result.groups else None
    return [
        sections.figure("Means", drawn, "means-figure"),
        Section("means", "Mean of each", (means(result),)),
        sections.one_block("suites", "Suites", suites(result)),
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


TELLING = Telling[Evaluation](
    schema="bakeoff.evaluate/1",
    title=lambda result: f"Evaluation: {sections.sizes(result.scores)}",
    verdict=verdict,
    basis=sentences.basis,
    body=_body,
    on_screen=lambda result: ("means", "suites", *sections.if_few(result.pairs), "groups", "next"),
    methods=sentences.methods,
    keys=(
        *(*SIZES, "n_clusters", "unit", "control", "correction", "alpha", "tasks", "exact", "critical"),
        *("estimates", "pairs", "rank_intervals", "groups", "detectable", ("suites", "suite_means")),
    ),
    main=_of_pairs,
    second=_means,
)
