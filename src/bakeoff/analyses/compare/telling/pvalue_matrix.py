"""The adjusted p-values of all pairs as a triangle: shorter than the list from five algorithms on."""

from bakeoff import numerals
from bakeoff.analyses.compare.statistics import Comparison, Pair, catalogue
from bakeoff.analyses.compare.statistics.verdicts import DECIDED
from bakeoff.analyses.compare.telling import sentences
from bakeoff.analyses.compare.telling.tables import order
from bakeoff.report.document import Column, Row, Table

SIZES = range(5, 31)  # algorithms; the diagram of more shows the verdicts as a matrix
FOLDED = 12  # algorithms; a larger one is shown on demand
SMALLEST = 0.001
MARKS = {"cannot tell": "?", sentences.DEPENDS: "*", "practically equal": "="}


def pvalue_matrix(comparison: Comparison) -> Table | None:
    """Row against column, best mean rank first, with an arrow to the better one; not with a control."""
    c, k = comparison, comparison.scores.n_algorithms
    if c.control is not None or k not in SIZES:
        return None
    best_first = order(c)
    names = [c.scores.algorithms[j] for j in best_first]
    pairs = {frozenset((pair.a, pair.b)): pair for pair in c.pairs}
    rows = []
    for i, name in enumerate(names):
        row_pairs = [pairs[frozenset((name, names[j]))] for j in range(i)]
        cells = [_cell(c, pair, name) for pair in row_pairs] + [""] * (k - 1 - i)
        bold = frozenset(j + 2 for j, pair in enumerate(row_pairs) if pair.verdict in DECIDED)
        shades = tuple((j + 2, _shade(pair.adjusted[c.primary])) for j, pair in enumerate(row_pairs) if j + 2 in bold)
        rows.append(Row((str(i + 1), numerals.plain(name), *cells[: k - 1]), bold=bold, shades=shades))
    columns = (
        Column("place", "#", numeric=True),
        Column("name", "algorithm"),
        *(Column(f"p{j}", str(j + 1), numeric=True) for j in range(k - 1)),
    )
    short = catalogue.correction_of(c, c.primary).short
    caption = f"Adjusted p-values ({short}) of the row against the algorithm with the number of the column"
    note = f"Best mean rank first. Bold: at most {c.alpha:g}; ↑: the column's algorithm is better, ←: the row's."
    if any(pair.verdict == "cannot tell" for pair in c.pairs):
        note += " ?: no outcome could have reached this level."
    if any(pair.verdict == sentences.DEPENDS for pair in c.pairs):
        note += " *: depends on the missing scores."
    if any(pair.verdict == "practically equal" for pair in c.pairs):
        note += " =: practically equal, up to the margin."
    folded = k > FOLDED
    return Table(
        key="matrix", caption=caption, columns=columns, rows=rows, note=note, wide=True, square=True, folded=folded
    )


def _shade(p: float) -> int:
    return 3 if p < SMALLEST else 2 if p < 10.0 * SMALLEST else 1


def _cell(c: Comparison, pair: Pair, row: str) -> str:
    """``0.031 ←`` where the row's algorithm is better."""
    p = pair.adjusted[c.primary]
    text = f"<{SMALLEST:g}" if p < SMALLEST else _three_places(p, c.alpha)
    if pair.verdict in MARKS:
        return f"{text} {MARKS[pair.verdict]}"
    winner = sentences.winner(pair)
    return text if winner is None else f"{text} {'←' if winner == row else '↑'}"


def _three_places(p: float, alpha: float) -> str:
    """More beside the level, so that it is seen on which side p lies; never 1.000 below 1."""
    if 0.9995 <= p < 1.0:
        return ">0.999"
    return numerals.on_its_side(p, lambda x: x <= alpha, lambda digits: numerals.decimals(p, digits), 3)
