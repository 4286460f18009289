"""From the correlated t-tests of all pairs on one data set to the format-free Document, to JSON, and to columns."""

from bakeoff import numerals
from bakeoff.report.data import Keys, all_but, plain_data
from bakeoff.report.document import ColumnSpec, Section, Table, Text, number_column, tabulate, text_column
from bakeoff.report.methods import direction, joined, measured, sample, software, text
from bakeoff.report.reporting import Columns, Reporting, Rows, sheet_columns
from bakeoff.scores.cells import exact_mean
from bakeoff.wings.bayes import CorrelatedTPosterior, FoldsPosterior
from bakeoff.wings.bayes.statements.wording import chance, spoken, with_chance

LISTED = 40  # pairs that a page shows
Pair = CorrelatedTPosterior


def verdict(result: FoldsPosterior) -> str:
    """What is sure of a pair; of several pairs, how many statements are."""
    if len(result.pairs) == 1:
        return _one_pair(result.pairs[0])
    ordered = _ordered(result)
    first, decided = ordered[0], [pair for pair in ordered if pair.verdict in ("a better", "equivalent")]
    m = len(ordered)
    if not decided:
        level = f"{1 - result.gamma:g}"
        return f"No statement about any of the {m} pairs has a probability above {level}; {_most_probable(first)}."
    better = sum(pair.verdict == "a better" for pair in decided)
    counts = [f"one algorithm is better in {better} of {m} pairs"] if better else []
    equal = len(decided) - better
    counts += [f"{equal} of {m} pairs {'is' if equal == 1 else 'are'} practically equivalent"] if equal else []
    start = f"{counts[0][0].upper()}{counts[0][1:]}" + (f", and {counts[1]}" if len(counts) > 1 else "")
    return f"{start}; {_most_probable(first)}."


def _one_pair(pair: Pair) -> str:
    shown = _turned(pair)
    a, b = numerals.plain(shown.a), numerals.plain(shown.b)
    if shown.verdict == "equivalent":
        p = with_chance(shown.p_equivalent, 1 - pair.gamma)
        return f"{numerals.name_list([a, b])} are practically equivalent (within ±{pair.rope:g}) {p}."
    by = f" by more than {pair.rope:g}" if pair.rope else ""
    if shown.verdict == "a better":
        return f"{a} is better than {b}{by} {with_chance(shown.p_better, 1 - pair.gamma)}."
    names, p = numerals.name_list([pair.a, pair.b]), spoken(shown.p_better, 1 - pair.gamma)
    return (
        f"It is undecided which of {names} is better: the probability that {a} is better than {b}{by} is {p}; "
        f"the level is {1 - pair.gamma:g}."
    )


def _most_probable(pair: Pair) -> str:
    a, b = numerals.plain(pair.a), numerals.plain(pair.b)
    if pair.p_equivalent > pair.p_better:
        p = with_chance(pair.p_equivalent, 1 - pair.gamma)
        return f"most probably {a} and {b} are practically equivalent ({p})"
    return f"most probably {a} is better than {b} ({with_chance(pair.p_better, 1 - pair.gamma)})"


def basis(result: FoldsPosterior) -> str:
    """The model, and the level."""
    rope = f"; practically equivalent within ±{result.rope:g}" if result.rope else ""
    return (
        f"Bayesian correlated t-test of each pair by itself; correlation of two folds {result.correlation:.3g}; "
        f"accepted above probability {1 - result.gamma:g}{rope}; {direction(result.scores)}."
    )


def methods(result: FoldsPosterior) -> Text:
    """The paragraph for a paper."""
    many = "the two algorithms" if len(result.pairs) == 1 else f"each of {len(result.pairs)} pairs of algorithms"
    rho, n = result.correlation, result.n_folds
    test = (
        f"The mean difference of {many} over {n} folds was judged by the Bayesian correlated t-test "
        f"[@coranibenavoli2015]. Its posterior is Student's t with {n - 1} degrees of freedom and squared scale "
        f"(1/{n} + {rho / (1 - rho):.3g})·s², for a correlation of {rho:.3g} between folds, the share of the data in a "
        "test set [@nadeaubengio2003]"
    )
    if result.rope:
        test += f". Differences up to {result.rope:g} were taken as practically equivalent [@benavoli2017]"
    return joined(sample(result.scores), text(f"{test}."), software())


def _turned(pair: Pair) -> Pair:
    """The more probable direction."""
    return pair.turned if pair.p_worse > pair.p_better else pair


def _ordered(result: FoldsPosterior) -> list[Pair]:
    """Each pair as its more probable statement, the surest first."""
    return sorted(map(_turned, result.pairs), key=lambda pair: -max(pair.shares))


def pairs(result: FoldsPosterior) -> Table:
    """The surest first; a long table keeps the first ``LISTED``."""
    need, ordered = 1 - result.gamma, _ordered(result)

    def interval(pair: Pair) -> str:
        low, high = pair.interval
        return f"{numerals.score(pair.estimate)} [{numerals.score(low)}, {numerals.score(high)}]"

    shown: list[ColumnSpec[Pair]] = [
        text_column("a", "first", lambda pair: numerals.plain(pair.a)),
        text_column("b", "second", lambda pair: numerals.plain(pair.b)),
        text_column("verdict", "verdict", lambda pair: pair.verdict.replace("a better", "better"), rank=1),
        number_column("p_better", "P better", lambda pair: chance(pair.p_better, need), strong=True),
    ]
    if result.rope:
        of_rope = f"P within ±{result.rope:g}"
        shown.append(number_column("p_equivalent", of_rope, lambda pair: chance(pair.p_equivalent, need), strong=True))
        shown.append(number_column("p_worse", "P worse", lambda pair: chance(pair.p_worse, need)))
    shown.append(number_column("interval", f"difference [{numerals.percent(need)} interval]", interval, rank=2))
    note = (
        "P: probabilities that the first is better by more than the rope, and so on. " if result.rope else ""
    ) + f"Difference: of mean {measured(result.scores)}, positive where the first is better."
    if len(ordered) > 1:
        note += " Each probability applies to its pair alone."
    return tabulate(
        "pairs",
        "Pairs, most certain first",
        shown,
        ordered,
        most=LISTED,
        more="pairs are in JSON, CSV and XLSX",
        strong=lambda pair: pair.verdict != "undecided",
        note=note,
    )


def _of_pairs(result: FoldsPosterior) -> Columns:
    keys = ("a", "b", "p_better", "p_equivalent", "p_worse", "verdict", "estimate", "scale", "df", "ties")
    ordered = _ordered(result)
    ends = {f"interval_{name}": [float(pair.interval[i]) for pair in ordered] for i, name in enumerate(("low", "high"))}
    return sheet_columns(ordered, *keys) | ends


def _ranking(result: FoldsPosterior) -> Rows:
    """Mean scores, best first."""
    s = result.scores
    assert s.runs is not None
    means = {name: exact_mean(s.runs[0, j, : s.n_runs[0, j]].tolist()) for j, name in enumerate(s.algorithms)}
    best_first = sorted(means.items(), key=lambda item: item[1], reverse=s.better == "higher")
    return [("algorithm", "mean"), *best_first]


def _body(result: FoldsPosterior) -> list[Section | None]:
    return [Section("pairs", "Pairs", (pairs(result),))]


_SAID_ONCE = ("cautions", "gamma", "rope", "correlation", "problem", "n_runs", "n_problems", "n_dropped", "n_clusters")
KEYS: Keys = {CorrelatedTPosterior: all_but(CorrelatedTPosterior, *_SAID_ONCE, "certain_bounds")}


REPORT = Reporting[FoldsPosterior](
    schema="bakeoff.bayes-folds/1",
    verdict=verdict,
    basis=basis,
    body=_body,
    on_screen=("pairs",),
    methods=methods,
    keys=(
        *("scores.better", "scores.n_problems", "scores.n_algorithms", "n_folds", "correlation"),
        *("control", "rope", "gamma"),
        ("pairs", lambda result: plain_data(result.pairs, KEYS)),
    ),
    main=_of_pairs,
    second=_ranking,
)
