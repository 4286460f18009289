"""From a Profile to the format-free Document, to JSON, and to columns."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from bakeoff import numerals
from bakeoff.profiles import OrderFlip, Profile
from bakeoff.report import methods, sections
from bakeoff.report.data import asked, null_for_infinity, origin, plain_data
from bakeoff.report.document import Document, Figure, Paragraph, Section, Sheets, Shown, Table, numeric, tabulate, words
from bakeoff.report.profile import sentences
from bakeoff.report.profile.sentences import verdict as verdict

SCHEMA = "bakeoff.profile/1"
LISTED = 20  # flips that a page shows
RATIOS = (1.0, 2.0, 5.0, 10.0, 100.0)


def document(found: Profile, command: str | None = None) -> Document:
    """Figure, shares at some τ, the test of two or the pairs whose order depends on a third."""
    told = sentences.methods(found)
    return Document(
        title=f"{sentences.TITLES[found.form]}: {sections.sizes(found.scores)}",
        verdict=verdict(found),
        basis=sentences.basis(found),
        sections=sections.present(
            sections.figure("Profiles", Figure(found, sentences.TITLES[found.form], key="profile"), "figure"),
            Section("shares", "Shares", (share_table(found), Paragraph((sentences.band_words(found),)))),
            sections.one_block("flips", "Order that depends on a third algorithm", flips(found)),
            sections.cautions(found.cautions),
            sections.methods(told),
            sections.references(methods.cited(told)),
            sections.provenance(found.scores, command),
        ),
        on_screen=("shares", *(("flips",) if found.flips else ()), "cautions"),
        doubts=sections.doubts(found.cautions),
    )


def columns_of(found: Profile) -> list[float]:
    """Some τ worth a column: round ratios; of differences and budgets the quarters of what occurs."""
    finite = found.distances[np.isfinite(found.distances)]
    if found.form == "ratio" or not len(finite):
        return list(RATIOS)
    first = [0.0] if found.form == "difference" else []
    wanted = (
        np.quantile(finite[finite > 0], (0.25, 0.5, 0.75, 1.0), method="inverted_cdf").tolist()
        if (finite > 0).any()
        else []
    )
    return sorted({*first, *(_rounded_up(x) for x in wanted)})


def _rounded_up(x: float) -> float:
    """To two significant digits."""
    unit = 10.0 ** (math.floor(math.log10(x)) - 1)
    return float(f"{math.ceil(x / unit * (1 - 1e-12)) * unit:.12g}")


def share_table(found: Profile) -> Table:
    """A row per algorithm."""
    taus = columns_of(found)
    at, solved = found.at(taus), found.solved
    shown: list[Shown[int]] = [words("name", "algorithm", lambda j: numerals.plain(found.scores.algorithms[j]))]

    def column(i: int) -> Shown[int]:
        title, rank = f"τ = {numerals.significant(taus[i], 4)}", len(taus) - i if i else 0
        return numeric(f"tau{i}", title, lambda j: sentences.share_words(float(at[j, i])), strong=i == 0, rank=rank)

    shown += [column(i) for i in range(len(taus))]
    shown.append(numeric("solved", "ever", lambda j: sentences.share_words(float(solved[j]))))
    shown.append(
        numeric("width", "band ±", lambda j: sentences.share_words(float(found.half_widths[j])), rank=len(taus))
    )
    note = (
        f"Share of problems within τ: {sentences.axis(found)}. Ever: without a failed run, and with a finite distance."
    )
    return tabulate("shares", "Share of problems within τ", shown, found.order, note=note)


def flips(found: Profile) -> Table | None:
    """The clearest ones."""
    if not found.flips:
        return None

    def order(a: float, b: float) -> str:
        return f"{sentences.share_words(a)}, {sentences.share_words(b)}"

    shown: list[Shown[OrderFlip]] = [
        words("pair", "pair", lambda f: f"{numerals.plain(f.a)} – {numerals.plain(f.b)}", wraps=True),
        numeric("tau", "τ", lambda f: sentences.tau_words(f.tau)),
        words("with", "shares", lambda f: order(f.share_a, f.share_b)),
        words("third", "without", lambda f: numerals.plain(f.without), wraps=True),
        words("after", "shares then", lambda f: order(f.share_a_without, f.share_b_without)),
    ]
    left = len(found.flips) - LISTED
    note = "At the τ where the smaller of the two gaps is largest. A pair is listed once for each third algorithm."
    note += f" {left} more are in the JSON." if left > 0 else ""
    return tabulate("flips", "Pairs whose order reverses without a third", shown, found.flips[:LISTED], note=note)


def own_steps(found: Profile, j: int) -> tuple[list[float], list[float]]:
    """Where the curve of one algorithm rises, and its height from there on."""
    values = found.distances[:, j]
    tau = np.unique(values[np.isfinite(values)])
    share = np.searchsorted(np.sort(values), tau, side="right") / len(values)
    return tau.tolist(), share.tolist()


def to_dict(found: Profile, command: str | None = None) -> dict[str, Any]:
    """Everything a script may want."""
    s = found.scores
    curves = []
    for j, name in enumerate(s.algorithms):
        tau, share = own_steps(found, j)
        one = {"algorithm": name, "half_width": float(found.half_widths[j]), "ever": float(found.solved[j])}
        curves.append({**one, "tau": tau, "share": share})
    taus = columns_of(found)
    content: dict[str, Any] = {
        "schema": SCHEMA,
        "verdict": verdict(found),
        "kind": found.form,
        "cell": found.cell,
        "better": s.better,
        "n_problems": s.n_problems,
        "n_algorithms": s.n_algorithms,
        "n_clusters": found.n_clusters,
        "band": found.band,
        "at": [{"tau": tau, "shares": found.at(tau).tolist()} for tau in taus],
        "curves": curves,
        "swap": plain_data(found.swap),
        "flips": plain_data(list(found.flips)),
    }
    whence = origin(s, found.cautions, methods.cited(sentences.methods(found)), command)
    return null_for_infinity(content | whence | asked(found))


def sheets(found: Profile) -> Sheets:
    """A row per step of a curve; the shares at some τ as the ranking."""
    columns: dict[str, list[Any]] = {key: [] for key in ("algorithm", "tau", "share", "lower", "upper")}
    for j, name in enumerate(found.scores.algorithms):
        width = float(found.half_widths[j])
        for tau, share in zip(*own_steps(found, j), strict=True):
            row = (name, tau, share, max(0.0, share - width), min(1.0, share + width))
            for key, value in zip(columns, row, strict=True):
                columns[key].append(value)
    taus = columns_of(found)
    listed: list[tuple[Any, ...]] = [("algorithm", *(f"within {tau:g}" for tau in taus), "ever", "band")]
    at = found.at(taus)
    for j in found.order:
        listed.append(
            (found.scores.algorithms[j], *at[j].tolist(), float(found.solved[j]), float(found.half_widths[j]))
        )
    return Sheets(pairs=columns, ranking=listed, cautions=found.cautions)
