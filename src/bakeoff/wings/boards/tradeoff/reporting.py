"""A Tradeoff in words, as the format-free Document, as JSON and as columns."""

from collections.abc import Callable, Mapping
from typing import Annotated, Any

from bakeoff import numerals
from bakeoff.report import methods as shared, sections
from bakeoff.report.data import scores_data
from bakeoff.report.document import (
    ColumnSpec,
    DecidedOnly,
    Figure,
    Section,
    Table,
    Text,
    equal_column,
    interval_column,
    number_column,
    p_column,
    tabulate,
    text_column,
    two_names,
)
from bakeoff.report.methods import problem_count, text
from bakeoff.report.reading_back import rebuilt_scores, refuse
from bakeoff.report.reporting import Columns, Reporting, Rows, getter, sheet_columns
from bakeoff.scores import Scores
from bakeoff.wings.boards.tradeoff.statistics import Position, Tradeoff, TradeoffPair


@sections.unless_one_process
def verdict(result: Tradeoff) -> str:
    """Name those on the frontier, and those dominated."""
    k = len(result.positions)
    if k == 2:
        shown = [pair for pair in result.pairs if pair.verdict == "a better trade-off"]
        if len(shown) == 1:
            a, b = (numerals.plain(name) for name in (shown[0].a, shown[0].b))
            better = [m for m, p in shown[0].p_better.items() if len(result.metrics) * p <= result.alpha]
            return (
                f"{a} is a better trade-off than {b}: better in {numerals.name_list(better)}, and not worse in any "
                "metric by its margin."
            )
        if len(shown) == 2:
            return (
                "Each is a better trade-off than the other: within the margins, choosing between them is a matter of "
                "preference."
            )
    parts = []
    for names, one, many in (
        (result.frontier, "is on the frontier", "are on the frontier"),
        (result.dominated, "is dominated", "are dominated"),
    ):
        if names:
            named = numerals.name_list([numerals.plain(n) for n in names]) if len(names) <= sections.MOST_NAMED else ""
            parts.append(f"{named or f'{len(names)} of {k} algorithms'} {one if len(names) == 1 else many}")
    if not parts:
        return f"None of the {k} algorithms is shown to be on the frontier, or dominated."
    if rest := result.cannot_tell:
        few = len(rest) <= sections.MOST_NAMED
        named = numerals.name_list([numerals.plain(n) for n in rest]) if few else f"the other {len(rest)}"
        parts.append(f"the data cannot tell for {named}")
    return "; ".join(parts) + "."


def basis(result: Tradeoff) -> str:
    """On what the verdict rests."""
    margins = [(numerals.plain(name), s.better, result.margins[name]) for name, s in result.metrics.items()]
    each = "; ".join(f"{name} ({better} is better, margin {margin})" for name, better, margin in margins)
    return f"{each}; {problem_count(result.scores)}; α = {result.alpha:g} for each of the two families."


def methods(result: Tradeoff) -> Text:
    """The sentences for a paper."""
    unit = result.unit
    ratios = [name for name, margin in result.margins.items() if margin.endswith("%")]
    margins = numerals.name_list([f"{margin} in {numerals.plain(name)}" for name, margin in result.margins.items()], 20)
    logs = ""
    if ratios:
        logs = f" Logarithms of {numerals.name_list([numerals.plain(name) for name in ratios], 20)} were compared."
    clustered = " over clusters of problems [@mackinnon2023]" if unit == "cluster" else " over problems"
    m, k = len(result.metrics), len(result.positions)
    answers = answered(result)
    if answers:
        logs += f" In {numerals.name_list([numerals.plain(name) for name in answers], 20)}, right and wrong answers, "
        logs += "non-inferiority is by the score test of a difference of paired shares [@tango1998], and superiority "
        logs += "by the exact one-sided test of McNemar [@mcnemar1947]."
    return text(
        f"{numerals.count(k, 'algorithm')} were compared in {numerals.count(m, 'metric')} on "
        f"{problem_count(result.scores)}. An algorithm is a better trade-off than another if it is not worse by the "
        f"margin in any metric ({margins}) and better in at least one. It was tested by intersection–union "
        f"[@berger1982;@bloch2001] of one-sided t-tests of mean differences{clustered}. P is the larger of the "
        f"largest p of non-inferiority and {m} times the smallest p of superiority, with Holm's correction "
        f"[@holm1979] over the {k * (k - 1)} ordered pairs. An algorithm is dominated if another one was shown to be "
        "a better trade-off and not the reverse. It is on the frontier if it is not dominated and was shown to be "
        f"better than each other one in at least one metric (Holm over {k} algorithms).{logs} The probability of "
        "being Pareto-optimal is by the Bayesian bootstrap [@rubin1981] with the same weights for all metrics "
        f"({result.n_draws} draws). α = {result.alpha:g} for each of the two families."
    )


def answered(result: Tradeoff) -> list[str]:
    """The metrics that are right and wrong answers, and are tested as such."""
    alone = result.n_clusters == result.scores.n_problems
    return [
        name
        for name, s in result.metrics.items()
        if alone and s.runs is None and not result.margins[name].endswith("%") and set(s.values.flat) <= {0.0, 1.0}
    ]


BRIEF = DecidedOnly(
    title="Pairs with a better trade-off", more="with a better trade-off", rest="without a better trade-off"
)


def positions(result: Tradeoff) -> Table:
    """A row per algorithm: means, what is shown, and the posterior."""
    level = numerals.percent(1 - result.alpha)
    order = {"frontier": 0, "cannot tell": 1, "dominated": 2}
    rows = sorted(result.positions, key=lambda position: (order[position.state], -position.p_pareto))
    shown: list[ColumnSpec[Position]] = [text_column("name", "algorithm", lambda p: numerals.plain(p.algorithm))]
    for j, name in enumerate(result.metrics):
        mean, interval = getter(f"means.{j}.mean"), getter(f"means.{j}.interval")
        shown.append(equal_column(f"mean-{j}", numerals.plain(name), rows, mean, strong=True))
        shown.append(interval_column(f"interval-{j}", f"{level} interval", rows, interval, rank=3))
    shown += [
        text_column("state", "shown", _state, wraps=True),
        number_column("p", "adjusted p (frontier)", lambda p: numerals.pvalue(p.adjusted, None, result.alpha), rank=2),
        number_column("pareto", "P(Pareto-optimal)", lambda p: _probability(p.p_pareto)),
    ]
    note = (
        "Frontier: shown to be better than each other algorithm in at least one metric. Dominated: another algorithm "
        "is a better trade-off, by the margins. P(Pareto-optimal): the probability that no other is as good in all "
        "metrics and better in one, without margins. Intervals: for each mean by itself; means are geometric if the "
        "margin is a percentage."
    )
    return tabulate("positions", "Each algorithm", shown, rows, note=note)


def _probability(p: float) -> str:
    """A share of draws, which is never 0 or 1."""
    return "> 0.999" if p > 0.999 else "< 0.001" if p < 0.001 else numerals.decimals(p, 3)


def _state(p: Position) -> str:
    if p.state == "dominated":
        return f"dominated by {numerals.name_list([numerals.plain(name) for name in p.dominated_by], 3)}"
    return p.state


def _entry(of: str, metric: str) -> Callable[[TradeoffPair], float]:
    return lambda pair: float(getattr(pair, of)[metric])


def pairs(result: Tradeoff) -> list[Table]:
    """A row per ordered pair, the shown ones first where there are many."""
    alpha = result.alpha
    shown: list[ColumnSpec[TradeoffPair]] = [text_column("a", "pair", two_names, wraps=True)]
    for j, name in enumerate(result.metrics):
        of = numerals.plain(name)
        shown.append(p_column(f"ni-{j}", f"p not worse ({of})", _entry("p_not_worse", name), alpha, rank=3))
        shown.append(p_column(f"sup-{j}", f"p better ({of})", _entry("p_better", name), alpha, rank=3))
    shown += [
        p_column("p", "p", lambda p: p.p_better_tradeoff, alpha, rank=1),
        p_column("adjusted", "adjusted p (Holm)", lambda p: p.adjusted, alpha),
        text_column("verdict", "first is", lambda p: p.verdict, wraps=True),
    ]

    def caption(n: int, decided: bool) -> str:
        return f"The {n} ordered pairs {'with' if decided else 'without'} a better trade-off"

    note = "p: not worse in any metric by its margin, and better in at least one, of the first-named algorithm."
    return sections.split_by_decision(result.pairs, shown, _decided, "Ordered pairs", note, caption, BRIEF)


def _decided(pair: TradeoffPair) -> bool:
    return pair.verdict == "a better trade-off"


def _title(result: Tradeoff) -> str:
    metrics = numerals.name_list([numerals.plain(name) for name in result.metrics])
    return f"Trade-off: {numerals.count(len(result.positions), 'algorithm')} in {metrics}"


def _body(result: Tradeoff) -> list[Section | None]:
    figure = Figure(result, "Two metrics, with intervals and the verdict on each algorithm", key="tradeoff")
    return [
        sections.figure("Trade-off", figure, "tradeoff-figure"),
        Section("positions", "Each algorithm", (positions(result),)),
        Section("pairs", "Each pair", tuple(pairs(result))),
    ]


def _of_pairs(result: Tradeoff) -> Columns:
    made = sheet_columns(result.pairs, "a", "b")
    for name in result.metrics:
        for key in ("difference", "p_not_worse", "p_better"):
            made[f"{key} {name}"] = [getattr(p, key)[name] for p in result.pairs]
    return made | sheet_columns(result.pairs, "p_better_tradeoff", "adjusted", "verdict")


def _positions(result: Tradeoff) -> Rows:
    head = ("algorithm", *result.metrics, "state", "P(Pareto-optimal)")
    return [head, *((p.algorithm, *(m.mean for m in p.means), p.state, p.p_pareto) for p in result.positions)]


def _metrics(result: Tradeoff) -> Annotated[list[str], "Names."]:
    return list(result.metrics)


REPORT = Reporting[Tradeoff](
    title=_title,
    verdict=verdict,
    basis=basis,
    body=_body,
    on_screen=("positions", "pairs"),
    methods=lambda result: shared.joined(methods(result), shared.software()),
    keys=(
        *("scores.n_problems", "scores.n_algorithms", "n_clusters"),
        ("metrics", _metrics),
        *("margins", "alpha", "unit", "frontier", "dominated", "cannot_tell", "positions", "pairs"),
    ),
    table=lambda result: None,
    more=lambda result: [(f"SHA-256 of {numerals.plain(n)}", s.source_sha256) for n, s in result.metrics.items()],
    source=lambda result: {"tables": {name: scores_data(scores) for name, scores in result.metrics.items()}},
    main=_of_pairs,
    second=_positions,
)


# The tables of several metrics that a report holds.


def rebuilt_tables(content: Mapping[str, Any]) -> dict[str, Scores]:
    """``tables`` of a report of several metrics."""
    data = content["tables"]
    if not isinstance(data, dict) or not data:
        refuse("tables", "an object of tables by their metrics", data)
    return {name: rebuilt_scores(table) for name, table in data.items()}
