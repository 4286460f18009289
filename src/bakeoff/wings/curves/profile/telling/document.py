"""From a Profile to the format-free Document, to JSON, and to columns."""

from typing import Any

import numpy as np

from bakeoff import numerals
from bakeoff.report import sections
from bakeoff.report.data import null_for_infinity
from bakeoff.report.document import (
    ColumnSpec,
    Figure,
    Paragraph,
    Section,
    Table,
    equal_column,
    number_column,
    tabulate,
    text_column,
)
from bakeoff.report.telling import SIZES, Columns, Rows, Telling
from bakeoff.wings.curves.profile.statistics import OrderFlip, Profile
from bakeoff.wings.curves.profile.statistics.curves import shares_within
from bakeoff.wings.curves.profile.statistics.data_profiles import are_targets
from bakeoff.wings.curves.profile.statistics.distances import direction_of
from bakeoff.wings.curves.profile.telling import sentences
from bakeoff.wings.curves.profile.telling.sentences import verdict as verdict

LISTED = 20  # flips that a page shows
RATIOS = (1.0, 2.0, 5.0, 10.0, 100.0)


def columns_of(result: Profile) -> list[float]:
    """Some τ worth a column: round ratios; of differences and budgets the quarters of what occurs."""
    finite = result.distances[np.isfinite(result.distances)]
    if result.form == "ratio" or not len(finite):
        return list(RATIOS)
    first = [0.0] if result.form == "difference" else []
    finite = finite if result.form == "score" else finite[finite > 0]
    quarters = np.quantile(finite, (0.25, 0.5, 0.75, 1.0), method="inverted_cdf").tolist() if len(finite) else []
    sign = direction_of(result.scores, result.form)
    return [sign * x for x in sorted({*first, *(sentences.rounded_up(x) for x in quarters)})]


def share_table(result: Profile) -> Table:
    """A row per algorithm."""
    taus = columns_of(result)
    at, solved = result.at(taus), result.solved
    shown: list[ColumnSpec[int]] = [
        text_column("name", "algorithm", lambda j: numerals.plain(result.scores.algorithms[j]))
    ]

    def column(i: int) -> ColumnSpec[int]:
        title, rank = f"τ = {numerals.significant(taus[i], 4)}", len(taus) - i if i else 0
        return number_column(
            f"tau{i}", title, lambda j: sentences.share_words(float(at[j, i])), strong=i == 0, rank=rank
        )

    shown += [column(i) for i in range(len(taus))]
    shown.append(number_column("solved", "ever", lambda j: sentences.share_words(float(solved[j]))))
    shown.append(
        number_column("width", "band ±", lambda j: sentences.share_words(float(result.half_widths[j])), rank=len(taus))
    )
    share = f"Share of {result.counted} {result.relation}"
    note = f"{share}: {sentences.axis(result)}. "
    note += "Ever: without a failed run, and with a finite distance."
    if are_targets(result.scores):
        note += " A row of the table is a target of a run; all rows of a problem, or of its cluster, are one cluster."
    return tabulate("shares", share, shown, result.order, note=note)


def flips(result: Profile) -> Table | None:
    """The clearest ones."""
    if not result.flips:
        return None

    def order(a: float, b: float) -> str:
        return f"{sentences.share_words(a)}, {sentences.share_words(b)}"

    shown: list[ColumnSpec[OrderFlip]] = [
        text_column("pair", "pair", lambda f: f"{numerals.plain(f.a)} – {numerals.plain(f.b)}", wraps=True),
        equal_column("tau", "τ", result.flips[:LISTED], lambda f: f.tau, digits=5),
        text_column("with", "shares", lambda f: order(f.share_a, f.share_b)),
        text_column("third", "without", lambda f: numerals.plain(f.without), wraps=True),
        text_column("after", "shares then", lambda f: order(f.share_a_without, f.share_b_without)),
    ]
    note = "At the τ where the smaller of the two gaps is largest. A pair is listed once for each third algorithm."
    title, more = "Pairs whose order reverses without a third", "are in the JSON"
    return tabulate("flips", title, shown, result.flips, note=note, most=LISTED, more=more)


def own_steps(result: Profile, j: int) -> tuple[list[float], list[float]]:
    """Where the curve of one algorithm rises, and its height from there on."""
    values = result.distances[:, [j]]
    tau = np.unique(values[np.isfinite(values)])
    share = shares_within(values, tau, None if result.shares is None else result.shares[:, [j]])[0]
    return (direction_of(result.scores, result.form) * tau).tolist(), share.tolist()


def _body(result: Profile) -> list[Section | None]:
    return [
        sections.figure("Profiles", Figure(result, sentences.curve_title(result), key="profile"), "figure"),
        Section("shares", "Shares", (share_table(result), Paragraph((sentences.band_words(result),)))),
        sections.one_block("flips", "Order that depends on a third algorithm", flips(result)),
    ]


def _curves(result: Profile) -> list[dict[str, Any]]:
    listed = []
    for j, name in enumerate(result.scores.algorithms):
        tau, share = own_steps(result, j)
        one = {"algorithm": name, "half_width": float(result.half_widths[j]), "ever": float(result.solved[j])}
        listed.append({**one, "tau": tau, "share": share})
    return listed


def _steps(result: Profile) -> Columns:
    """A row per step of a curve."""
    rows = []
    for j, name in enumerate(result.scores.algorithms):
        width = float(result.half_widths[j])
        for tau, share in zip(*own_steps(result, j), strict=True):
            rows.append((name, tau, share, max(0.0, share - width), min(1.0, share + width)))
    return {key: [row[i] for row in rows] for i, key in enumerate(("algorithm", "tau", "share", "lower", "upper"))}


def _shares(result: Profile) -> Rows:
    taus = columns_of(result)
    at = result.at(taus)
    return [
        ("algorithm", *(f"{'reach' if result.form == 'score' else 'within'} {tau:g}" for tau in taus), "ever", "band"),
        *(
            (result.scores.algorithms[j], *at[j].tolist(), float(result.solved[j]), float(result.half_widths[j]))
            for j in result.order
        ),
    ]


TELLING = Telling[Profile](
    schema="bakeoff.profile/1",
    title=lambda result: f"{sentences.curve_title(result)}: {sentences.rest_of_title(result)}",
    verdict=verdict,
    basis=sentences.basis,
    body=_body,
    on_screen=("shares", "flips"),
    methods=sentences.methods,
    keys=(
        ("kind", "form"),
        "cell",
        "over",
        *SIZES,
        "n_clusters",
        "band",
        ("at", lambda result: [{"tau": tau, "shares": result.at(tau)} for tau in columns_of(result)]),
        ("curves", _curves),
        "swap",
        "flips",
    ),
    infinite=null_for_infinity,
    main=_steps,
    second=_shares,
)
