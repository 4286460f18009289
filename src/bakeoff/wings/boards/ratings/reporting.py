"""Ratings in words, as the format-free Document, as JSON and as columns; categories have a row each."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from bakeoff import numerals
from bakeoff.errors import BakeoffError, ReportError
from bakeoff.posthoc.groups import rank_words
from bakeoff.report import sections
from bakeoff.report.data import plain_data, scores_data
from bakeoff.report.document import (
    ColumnSpec,
    Figure,
    Paragraph,
    Row,
    Section,
    Table,
    Text,
    equal_column,
    interval_column,
    number_column,
    tabulate,
    text_column,
)
from bakeoff.report.methods import joined, sample, software, text
from bakeoff.report.reading_back import entry_list, entry_number, entry_rows, refuse
from bakeoff.report.reporting import Columns, Reporting, Rows, ends, sheet_columns, values_of
from bakeoff.scores import Array, Scores
from bakeoff.wings.boards.pair_table import LISTED, listed_pairs, pairs_table
from bakeoff.wings.boards.ratings._read_battles import Battles, by_split, merged_battles
from bakeoff.wings.boards.ratings.board import ELO, RatedBoard, RatedChange, RatedCovariate, RatedPair, Ratings

NAMED = 3  # leaders; of more, the table says how many


def categories_sentence(result: Ratings) -> str:
    """Say what changes between categories, and what holds at once; nothing of battles without them."""
    if not result.battles.categories:
        return ""
    n, of = len(result.boards), len(result.changes)
    if n == 0:
        return "No category could be rated by itself."
    turned = [c for c in result.changes if c.verdict == "order changes"]
    moved = sum(c.verdict == "distance changes" for c in result.changes)
    if n == 1:
        sentence = "One category alone could be rated by itself"
    elif len(turned) == 1:
        (one,) = turned
        a, b, first, second = map(numerals.plain, (one.a, one.b, one.first, one.second))
        sentence = f"The order of {a} and {b} changes between {first} and {second}"
    elif turned:
        sentence = f"Between {n} categories, the order changes in {len(turned)} of {of} pairs"
    elif moved:
        sentence = f"Between {n} categories, {moved} of {of} distances change, but no order is shown to"
    else:
        sentence = f"No change between the {n} categories is shown"
    return f"{sentence}. All {result.n_boards} boards hold at once at α = {result.alpha:g}."


def categories_basis(result: Ratings) -> str:
    """After "pairs and ranks simultaneous at α = 0.05"."""
    if not result.boards:
        return ""
    changes = f"; {result.n_changes} changes between two categories by Welch's t, Holm" if result.n_changes else ""
    return f" over {result.n_boards} boards, each at α/{result.n_boards}{changes}"


def categories_table(result: Ratings) -> Table | None:
    """All battles first; categories without a board say why."""
    b = result.battles
    if not b.categories:
        return None
    counts = np.zeros((len(b.categories), 3))
    np.add.at(counts, b.category, b.counts)
    of = {str(board.category): board for board in result.boards}
    rows: list[tuple[str, Any, RatedBoard | str]] = [("all", b.counts.sum(axis=0), result)]
    reasons = dict(result.unrated)
    rows += [
        (name, n, of.get(name) or f"not rated: {reasons[name]}") for name, n in zip(b.categories, counts, strict=True)
    ]

    def differ(board: RatedBoard | str) -> str:
        if isinstance(board, str):
            return numerals.MISSING
        return f"{sum(p.verdict.endswith('better') for p in board.pairs)} of {len(board.pairs)}"

    def leaders(board: RatedBoard | str) -> str:
        if isinstance(board, str):
            return numerals.plain(board)
        if len(board.leaders) <= NAMED:
            return numerals.name_list([numerals.plain(name) for name in board.leaders])
        return f"{len(board.leaders)} of {len(board.algorithms)}"

    shown: list[ColumnSpec[tuple[str, Any, RatedBoard | str]]] = [
        text_column("category", "category", lambda row: numerals.plain(row[0])),
        number_column("battles", "battles", lambda row: f"{row[1].sum():g}"),
        number_column("tied", "tied", lambda row: numerals.in_percent(row[1][2] / row[1].sum()), rank=4),
        number_column("algorithms", "algorithms",
                      lambda row: numerals.MISSING if isinstance(row[2], str) else str(len(row[2].algorithms)), rank=3),
        number_column("differ", "pairs that differ", lambda row: differ(row[2]), rank=2),
        text_column("leaders", "may be the strongest", lambda row: leaders(row[2]), wraps=True),
    ]  # fmt: skip
    note = "Categories with a board of their own; what differs holds in all boards at once." if result.boards else ""
    return tabulate("categories", "Categories", shown, rows, muted=lambda row: isinstance(row[2], str),
                    pinned=lambda row: row[2] is result, note=note)  # fmt: skip


def ranks_table(result: Ratings) -> Table | None:
    """Rank intervals of each algorithm, a column for each category."""
    if not result.boards:
        return None
    boards = (result, *result.boards)
    of = [dict(zip(board.algorithms, board.rank_intervals.tolist(), strict=True)) for board in boards]
    order = [result.algorithms[i] for i in np.argsort(-result.strengths, kind="stable").tolist()]
    rows = [
        Row(
            (numerals.plain(name), *(rank_words(each[name]) if name in each else numerals.MISSING for each in of)),
            bold=frozenset(1 + j for j, each in enumerate(of) if name in each and each[name][0] == 1),
        )
        for name in order
    ]
    return Table(
        key="category-ranks",
        caption="Ranks by category, the strongest of all battles first",
        columns=sections.algorithm_columns("algorithm", ["all", *(str(board.category) for board in result.boards)]),
        rows=rows,
        note="All of them at once. Bold: may be the strongest.",
        folded=True,
        wide=len(boards) > sections.WIDEST,
        square=True,
    )


def changes_table(result: Ratings, shown_ones: bool) -> Table | None:
    """A row per pair whose change is shown, or of the others."""
    rows = [c for c in result.changes if (c.verdict != "no change shown") is shown_ones]
    if not rows:
        return None
    words = {"order changes": "order", "distance changes": "distance", "no change shown": numerals.MISSING}
    shown: list[ColumnSpec[RatedChange]] = [
        text_column("a", "a", lambda c: numerals.plain(c.a)),
        text_column("b", "b", lambda c: numerals.plain(c.b)),
        text_column("first", "in", lambda c: numerals.plain(c.first)),
        number_column("difference_first", "a − b", lambda c: numerals.decimals(c.difference_first, 2)),
        text_column("second", "and in", lambda c: numerals.plain(c.second)),
        number_column("difference_second", "a − b", lambda c: numerals.decimals(c.difference_second, 2)),
        number_column("error", "SE of the change", lambda c: numerals.decimals(c.standard_error, 2), rank=3),
        number_column("p", "adjusted p", lambda c: numerals.pvalue(c.adjusted, alpha=result.alpha)),
        text_column("verdict", "changes", lambda c: words[c.verdict]),
    ]
    caption = f"The {len(rows)} pairs without a shown change, the surest first"
    note = (
        "The two categories in which a pair's distance, the difference of log strengths, differs most surely. Order: "
        "a is shown to be stronger in one, b in the other. Distance: by the test of the change alone."
    )
    return tabulate("changes", "Changes between categories, the surest first", shown, rows, most=LISTED,
                    note=note) if shown_ones else tabulate("changes-rest", caption, shown, rows, most=LISTED,
                    folded=True, note="")  # fmt: skip


_GLANCE = ("algorithm", "strength", "interval", "rank")


@sections.unless_one_process
def verdict(result: Ratings) -> str:
    """Say who may be the strongest, how many differences are shown, and what changes between categories."""
    return f"{_of_all(result)} {categories_sentence(result)}".strip()


def _of_all(result: Ratings) -> str:
    names, places = result.algorithms, result.rank_intervals
    first = [numerals.plain(name) for name, (low, _) in zip(names, places.tolist(), strict=True) if low == 1]
    shown, m = sum(pair.verdict.endswith("better") for pair in result.pairs), len(result.pairs)
    n = result.battles.n_battles
    battles = f"{n:g} battle{'' if n == 1 else 's'}"
    if result.covariates:
        battles += f", with {_held(result)} held equal"
    if len(first) == 1:
        others = [numerals.plain(name) for name, (low, _) in zip(names, places.tolist(), strict=True) if low > 1]
        whom = others[0] if len(others) == 1 else f"each of the {len(others)} others"
        return f"{first[0]} is stronger than {whom}, by {battles}."
    who = numerals.name_list(first) if len(first) <= sections.MOST_NAMED else f"{len(first)} of {len(names)} algorithms"
    if not shown:
        return f"No difference of strength is shown between {len(names)} algorithms by {battles}."
    return f"{who} may be the strongest; {shown} of {numerals.count(m, 'pair')} differ, by {battles}."


def _held(result: Ratings) -> str:
    """The covariates, words of one column once."""
    return numerals.name_list(list(dict.fromkeys(name.split("=")[0] for name in result.battles.covariates)))


def _basis(result: Ratings) -> str:
    return f"{_errors(result)[:-1]}; pairs and ranks simultaneous at α = {result.alpha:g}{categories_basis(result)}."


def _errors(result: Ratings) -> str:
    model = "Bradley–Terry model" + (" with ties by Davidson" if result.method == "davidson" else "")
    if result.method != "davidson" and result.battles.n_ties:
        model += ", ties as half wins"
    if result.covariates:
        model += f", {numerals.count(len(result.covariates), 'covariate')} held equal"
    penalty = ", Firth's penalty" if result.penalty == "firth" else ""
    if result.df is None:
        return f"{model}{penalty}; errors as of independent battles."
    errors = {
        "information": f"as of one battle of each pair in each of {_clusters(result)} clusters",
        "jackknife": f"from leaving out each of {_clusters(result)} clusters",
        "bootstrap": f"from {_clusters(result)} resampled clusters",
    }[result.errors]
    return f"{model}{penalty}; errors {errors}, t with {result.df:.3g} degrees of freedom."


def _clusters(result: Ratings) -> int:
    return len(result.battles.clusters or ())


def _fit(result: Ratings) -> str:
    parts = []
    if result.tie_parameter is not None:
        equal = result.tie_parameter / (2 + result.tie_parameter)
        parts.append(f"Two equally strong algorithms tie with probability {numerals.significant(equal, 3)}.")
    if result.deviance is not None:
        sentence = f"Deviance {numerals.statistic(result.deviance)} on {result.deviance_df} degrees of freedom"
        if result.deviance_pvalue is not None and result.df is None:
            sentence += f" ({numerals.p_phrase(result.deviance_pvalue)})"
        parts.append(f"{sentence}.")
    return " ".join(parts)


def ratings_table(result: Ratings) -> Table:
    """One row per algorithm, the strongest first."""
    order = np.argsort(-result.strengths, kind="stable").tolist()
    wins, ties = result.battles.tables()
    met, won = (wins + wins.T + ties).sum(axis=1), (wins + ties / 2).sum(axis=1)
    zero = "they sum to 0" if result.reference is None else f"{numerals.plain(result.reference)} is 0"
    interval = f"each by itself at {numerals.percent(1 - result.alpha)}"

    def error(i: int) -> str:
        fixed = result.algorithms[i] == result.reference
        return numerals.MISSING if fixed else numerals.decimals(result.standard_errors[i], 3)

    def within(i: int) -> tuple[float, float] | None:
        return None if result.algorithms[i] == result.reference else tuple(result.intervals[i].tolist())

    shown: list[ColumnSpec[int]] = [
        text_column("algorithm", "algorithm", lambda i: numerals.plain(result.algorithms[i])),
        number_column("strength", "log strength", lambda i: numerals.decimals(result.strengths[i], 3), strong=True,
                legend=f"Log strength: {zero}."),
        number_column("error", "SE", error, rank=3),
        interval_column("interval", "interval", order, within, digits=3, rank=2,
                legend=f"Interval: {interval}.", in_paper=True),
        number_column("elo", "Elo", lambda i: numerals.decimals(result.elo[i], 0), rank=4,
                legend="Elo: this fit, 400 points for odds of 10 to 1."),
        text_column("rank", "rank", lambda i: rank_words(result.rank_intervals[i]),
                legend="Rank: all of them at once."),
        number_column("battles", "battles", lambda i: f"{met[i]:g}", rank=5),
        number_column("won", "won", lambda i: numerals.in_percent(won[i] / met[i]), rank=6),
    ]  # fmt: skip
    return tabulate("ratings", "Ratings, strongest first", shown, order)


def rated_pairs(result: Ratings) -> Table:
    """Pairs that differ first, of each the stronger one first; a long table keeps the first ``LISTED``."""
    ordered = sorted(result.pairs, key=lambda pair: (pair.adjusted, pair.pvalue))
    listed = listed_pairs(ordered, lambda pair: pair.difference < 0)
    shown: list[ColumnSpec[RatedPair]] = [
        number_column("difference", "difference", lambda pair: numerals.decimals(pair.difference, 3)),
        number_column("error", "SE", lambda pair: numerals.decimals(pair.standard_error, 3), rank=3),
        interval_column("interval", "interval", listed, lambda pair: pair.interval, digits=3, rank=2,
                legend="Interval: simultaneous.", in_paper=True),
        number_column("p", "adjusted p", lambda pair: numerals.pvalue(pair.adjusted, alpha=result.alpha)),
        number_column("beats", "P(a beats b)", lambda pair: numerals.decimals(pair.p_beats, 3), rank=4),
    ]  # fmt: skip
    note = "Difference of log strengths, its error from the whole covariance. Interval: simultaneous."
    return pairs_table(ordered, listed, shown, "stronger", note)


def covariates_table(result: Ratings) -> Table | None:
    """A row per covariate."""
    if not result.covariates:
        return None
    level = numerals.percent(1 - result.alpha)
    shown: list[ColumnSpec[RatedCovariate]] = [
        text_column("covariate", "covariate", lambda c: numerals.plain(c.covariate)),
        equal_column("scale", "difference", result.covariates, lambda c: c.scale),
        number_column("effect", "log odds", lambda c: numerals.decimals(c.effect, 3), strong=True),
        number_column("error", "SE", lambda c: numerals.decimals(c.standard_error, 3), rank=2),
        interval_column("interval", f"{level} interval", result.covariates, lambda c: c.interval, rank=1),
        number_column("p", "p", lambda c: numerals.pvalue(c.pvalue, alpha=result.alpha)),
    ]
    note = (
        "The amount that a difference between the sides adds to the log odds of winning: a difference of the root "
        "mean square, or of 1 for an indicator. Intervals and p are for each by itself. Strengths apply to sides "
        "that do not differ in these."
    )
    return tabulate("covariates", "Covariates", shown, result.covariates, note=note)


def _meeting(s: Scores) -> str:
    """Describe how scores became battles."""
    if s.runs is None:
        return "On each problem, the better of two scores won one battle of each pair."
    met = "split was a meeting of its own" if by_split(s) else "run of the one met each of the other"
    return f"Each pair had one battle per problem, shared among its runs before averaging: each {met}."


def _methods(result: Ratings) -> Text:
    b = result.battles
    if result.scores is not None:
        first = joined(sample(result.scores, averaged=False), text(_meeting(result.scores)))
    else:
        ties = f", {b.n_ties:g} of them tied" if b.n_ties else ""
        first = (f"{len(b.algorithms)} algorithms met in {b.n_battles:g} battles{ties}.",)
    model = "the model of Bradley and Terry [@bradleyterry1952]"
    if result.method == "davidson":
        model += " with the ties of Davidson [@davidson1970]"
    elif b.n_ties:
        model += ", a tie being half a win of both"
    if result.covariates:
        model += f", with {_held(result)} as covariates of the log odds"
    fit = "with Firth's penalty [@firth1993]" if result.penalty == "firth" else "by maximum likelihood"
    law = "normal" if result.df is None else f"t({result.df:.3g})"
    errors = "are those of the information matrix, battles being independent"
    if result.df is not None:
        bootstrap = f"come from {result.n_resamples} bootstrap samples of {_clusters(result)} clusters, multiplied by"
        newton = f"come from the jackknife over {_clusters(result)} clusters, one Newton step without each"
        errors = {
            "information": "are those of one independent battle of each pair in a cluster",
            "jackknife": f"{newton} [@mackinnon2023]",
            "bootstrap": f"{bootstrap} √(G/(G − 1)) [@cameronmiller2015]",
        }[result.errors]
    paragraph = (
        f"Strengths were estimated {fit} in {model}; standard errors of differences {errors}. Differences of all pairs "
        f"were tested at once by the largest studentized one (multivariate {law}) [@hothorn2008], and the differences "
        f"shown bound the ranks [@klein2020;@mogstad2024]; α = {result.alpha:g}."
    )
    if result.boards:
        paragraph += (
            f" Each of {numerals.count(len(result.boards), 'category', 'categories')} was rated by itself; with the "
            f"board of all battles they were {result.n_boards} at α/{result.n_boards} each."
        )
    if result.n_changes:
        paragraph += (
            f" Whether the distance of two changes between two categories was tested by Welch's t [@welch1947], with "
            f"Holm's correction [@holm1979] over {result.n_changes} comparisons."
        )
    return joined(first, text(paragraph), software())


def _body(result: Ratings) -> list[Section | None]:
    fit = [Paragraph((sentence,))] if (sentence := _fit(result)) else []
    drawn = Figure(result, "Log strengths with intervals", key="ratings")
    grid = Figure(result, "Ranks by category", key="categories", kind="categories") if result.boards else None
    return [
        sections.figure("Strengths", drawn, "ratings-figure"),
        Section("ratings", "Ratings", (ratings_table(result), *([] if result.boards else fit))),
        Section("fit", "Fit", tuple(fit)) if fit and result.boards else None,
        sections.one_block("categories", "Categories", categories_table(result)),
        sections.figure("Ranks by category", grid, "categories-figure"),
        sections.one_block("category-ranks", "Ranks by category", ranks_table(result)),
        sections.one_block("changes", "Changes between categories", changes_table(result, True)),
        sections.one_block("changes-rest", "Changes that are not shown", changes_table(result, False)),
        sections.one_block("covariates", "Covariates", covariates_table(result)),
        Section("pairs", "Pairs", (rated_pairs(result),)),
    ]


def _at_a_glance(result: Ratings) -> tuple[Section, ...]:
    """Tables on the screen: few of many boards, of one all that belong on it."""
    categories = categories_table(result)
    if not result.boards or categories is None:
        return ()
    whole = ratings_table(result)
    kept = [i for i, column in enumerate(whole.columns) if column.key in _GLANCE]
    cut = replace(categories, brief=sections.DIFFERING, note="")
    return sections.present(
        Section("ratings", "Ratings", (replace(whole.selected(kept), note=""),)),
        Section("categories", "Categories", (cut,)),
    )


def _ratings(result: RatedBoard) -> list[dict[str, Any]]:
    return [
        {
            "algorithm": name,
            "strength": float(result.strengths[i]),
            "standard_error": float(result.standard_errors[i]),
            "interval": result.intervals[i].tolist(),
            "elo": float(result.strengths[i] * ELO),
            "rank_interval": result.rank_intervals[i].tolist(),
        }
        for i, name in enumerate(result.algorithms)
    ]


def _source(result: Ratings) -> dict[str, Any]:
    """The scores, or the battles where there are none."""
    if result.scores is not None:
        return {"scores": scores_data(result.scores)}
    b = result.battles
    known = {"algorithms": list(b.algorithms), "pairs": np.column_stack([b.first, b.second]), "counts": b.counts}
    if b.clusters is not None:
        known["clusters"] = [b.clusters[code] for code in b.cluster.tolist()]
    if b.covariates:
        known |= {"covariates": list(b.covariates), "differences": b.differences}
    if b.categories:
        known["categories"] = [b.categories[code] for code in b.category.tolist()]
    return {"battles": plain_data(known)}


_HEAD = ("algorithm", "log strength", "standard error", "low", "high", "Elo", "rank from", "rank to")
_OF_PAIRS = ("a", "b", "difference", "standard_error", "pvalue", "adjusted", "verdict", "p_beats", "battles")
_OF_BOARDS = (
    *("alpha", "method", "penalty", "errors", "df", "critical", "n_resamples", "resamples_left_out"),
    ("ratings", _ratings),
    *("covariates", "covariance", "pairs", "tie_parameter", "deviance", "deviance_df", "deviance_pvalue"),
    "log_likelihood",
)


def _boards(result: Ratings) -> tuple[RatedBoard, ...]:
    return (result, *result.boards)


def _rows(result: Ratings) -> Rows:
    head = ("category", *_HEAD) if result.boards else _HEAD
    rows: list[tuple[Any, ...]] = [head]
    for board in _boards(result):
        of_each = (board.strengths, board.standard_errors, *board.intervals.T, board.elo)
        numbers = np.column_stack(of_each).tolist()
        for i in np.argsort(-board.strengths, kind="stable").tolist():
            own = (board.category or "",) if result.boards else ()
            rows.append((*own, board.algorithms[i], *numbers[i], *board.rank_intervals[i].tolist()))
    return rows


def _columns(result: Ratings) -> Columns:
    """Pairs of all boards, with a column of their categories where there are any."""
    keys = (*_OF_PAIRS, *ends("interval"))
    if not result.boards:
        return sheet_columns(result.pairs, *keys)
    of = {"category": [board.category or "" for board in _boards(result) for _ in board.pairs]}
    return of | sheet_columns((pair for board in _boards(result) for pair in board.pairs), *keys)


def _known_boards(result: Ratings) -> list[dict[str, Any]]:
    keys = ("category", ("n_battles", lambda board: board.battles.n_battles), *_OF_BOARDS[1:], "cautions")
    return [values_of(board, keys) for board in result.boards]


REPORT = Reporting[Ratings](
    title=lambda result: f"Ratings of {numerals.count(len(result.algorithms), 'algorithm')}",
    verdict=verdict,
    basis=_basis,
    body=_body,
    on_screen=lambda result: (
        ("ratings", "covariates", "categories", "changes")
        if result.battles.categories
        else ("ratings", "covariates", "pairs")
    ),
    brief=_at_a_glance,
    brief_basis=_errors,
    methods=_methods,
    keys=(
        ("n_algorithms", lambda result: len(result.algorithms)),
        *("battles.n_battles", "battles.n_ties"),
        ("n_clusters", lambda result: None if result.battles.clusters is None else len(result.battles.clusters)),
        *_OF_BOARDS,
        ("boards", _known_boards),
        "n_boards",
        ("unrated", lambda result: [{"category": name, "reason": why} for name, why in result.unrated]),
        *("changes", "n_changes"),
    ),
    checksum=lambda result: result.battles.source_sha256,
    more=lambda result: [("battles SHA-256", result.battles.source_sha256)],
    source=_source,
    main=_columns,
    second=_rows,
)


# The battles that a report holds, every entry checked.


def rebuilt_battles(content: Mapping[str, Any]) -> Battles:
    """``battles`` of a report, every entry checked."""
    data, source = content["battles"], content.get("input_sha256")
    if not isinstance(data, dict):
        refuse("battles", "an object", data)
    names = [str(x) for x in entry_list(data.get("algorithms"), "battles.algorithms", "a list of names")]
    rows = entry_list(data.get("pairs"), "battles.pairs", "a list of pairs of places")
    counts = entry_rows(data.get("counts"), "battles.counts", len(rows))
    places, table = [], []
    for i, (row, three) in enumerate(zip(rows, counts, strict=True)):
        for place in entry_rows(row, f"battles.pairs[{i}]", 2):
            if not isinstance(place, int) or isinstance(place, bool) or not 0 <= place < len(names):
                refuse(f"battles.pairs[{i}]", f"two whole numbers from 0 to {len(names) - 1}", row)
        places.append(row)
        values = [entry_number(x, f"battles.counts[{i}]") for x in entry_rows(three, f"battles.counts[{i}]", 3)]
        if not all(np.isfinite(x) and x >= 0 for x in values):
            refuse(f"battles.counts[{i}]", "three counts", three)
        table.append(values)
    clusters, categories = (
        None if data.get(key) is None else [str(x) for x in entry_rows(data[key], f"battles.{key}", len(rows))]
        for key in ("clusters", "categories")
    )
    first, second = np.array(places, dtype=np.int64).reshape(-1, 2).T
    covariates, differences = _rebuilt_covariates(data, len(rows))
    try:
        counted = np.array(table).reshape(-1, 3)
        digest = str(source or "")
        return merged_battles(names, first, second, counted, clusters, digest, covariates, differences, categories)
    except BakeoffError as error:
        raise ReportError(f"battles: {error}") from None


def _rebuilt_covariates(data: Mapping[str, Any], rows: int) -> tuple[list[str], Array | None]:
    """Their names, and the differences of each row."""
    if "covariates" not in data:
        return [], None
    names = [str(x) for x in entry_list(data["covariates"], "battles.covariates", "a list of names")]
    differences = [
        [entry_number(x, f"battles.differences[{i}]") for x in entry_rows(row, f"battles.differences[{i}]", len(names))]
        for i, row in enumerate(entry_rows(data.get("differences"), "battles.differences", rows))
    ]
    table = np.array(differences, dtype=np.float64).reshape(rows, len(names))
    if not names or not (np.abs(table) <= 1e101).all():
        refuse("battles.differences", "finite numbers of one covariate or more", data["covariates"])
    return names, table
