"""The printed table of critical counts for the multiple sign test.

Rhyne & Steel (1965), as in Derrac et al. (2011), table A.21, and García et al. (2010), table A.1, which are identical.
One-sided, experimentwise. 30 of its 416 entries are one smaller than the exact distribution allows (conservative).
"""

from pathlib import Path

from bakeoff.errors import ParameterError

COMPARISONS = (2, 3, 4, 5, 6, 7, 8, 9)
LEVELS = (0.1, 0.05)

CRITICAL: dict[tuple[int, float, int], int | None] = {}
for _line in Path(__file__).with_name("rhyne_steel_1965.txt").read_text(encoding="utf-8").splitlines()[1:]:
    _n, *_cells = _line.split()
    for _i, _cell in enumerate(_cells):
        _level, _m = LEVELS[_i // 8], COMPARISONS[_i % 8]
        CRITICAL[int(_n), _level, _m] = None if _cell == "-" else int(_cell)


def printed_critical_value(n: int, m: int, alpha: float) -> int | None:
    """The largest count at which to reject, None where there is none; outside the table an error."""
    if (n, alpha, m) in CRITICAL:
        return CRITICAL[n, alpha, m]
    raise ParameterError(
        f"must be 'exact' for n = {n}, {m} algorithms beside the control and alpha = {alpha:g}: the printed table has "
        "n in 5 to 25, 30, 35, 40, 45 and 50 problems, 2 to 9 algorithms and alpha 0.05 or 0.1",
        parameter="law",
    )
