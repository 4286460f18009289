"""The printed table of critical counts for the multiple sign test.

Rhyne & Steel (1965), as in Derrac et al. (2011), table A.21, and García et al. (2010), table A.1, which are identical.
One-sided, experimentwise. 30 of its 416 entries are one smaller than the exact law allows (conservative).
"""

from bakeoff.errors import ParameterError

COMPARISONS = (2, 3, 4, 5, 6, 7, 8, 9)
LEVELS = (0.1, 0.05)

# n: (row of alpha 0.1, row of alpha 0.05), m = 2 … 9; "-": no count is small enough
_PRINTED = """
5   0 0 - - - - - -   - - - - - - - -
6   0 0 0 0 0 - - -   0 0 - - - - - -
7   0 0 0 0 0 0 0 0   0 0 0 0 - - - -
8   1 1 0 0 0 0 0 0   0 0 0 0 0 0 0 0
9   1 1 1 1 0 0 0 0   1 0 0 0 0 0 0 0
10  1 1 1 1 1 1 1 1   1 1 1 0 0 0 0 0
11  2 2 1 1 1 1 1 1   1 1 1 1 1 1 0 0
12  2 2 2 2 1 1 1 1   2 1 1 1 1 1 1 1
13  3 2 2 2 2 2 2 2   2 2 2 1 1 1 1 1
14  3 3 2 2 2 2 2 2   2 2 2 2 2 2 1 1
15  3 3 3 3 3 2 2 2   3 3 2 2 2 2 2 2
16  4 3 3 3 3 3 3 3   3 3 3 3 2 2 2 2
17  4 4 4 3 3 3 3 3   4 3 3 3 3 3 2 2
18  5 4 4 4 4 4 3 3   4 4 3 3 3 3 3 3
19  5 5 4 4 4 4 4 4   4 4 4 4 3 3 3 3
20  5 5 5 5 4 4 4 4   5 4 4 4 4 4 3 3
21  6 5 5 5 5 5 5 5   5 5 5 4 4 4 4 4
22  6 6 6 5 5 5 5 5   6 5 5 5 4 4 4 4
23  7 6 6 6 6 5 5 5   6 6 5 5 5 5 5 5
24  7 7 6 6 6 6 6 6   6 6 6 5 5 5 5 5
25  7 7 7 7 6 6 6 6   7 6 6 6 6 6 5 5
30  10 9 9 9 8 8 8 8   9 8 8 8 8 8 7 7
35  12 11 11 11 10 10 10 10   11 10 10 10 10 9 9 9
40  14 13 13 13 13 12 12 12   13 12 12 12 12 11 11 11
45  16 16 15 15 15 14 14 14   15 14 14 14 14 13 13 13
50  18 18 17 17 17 17 16 16   17 17 16 16 16 16 15 15
"""

CRITICAL: dict[tuple[int, float, int], int | None] = {}
for _line in _PRINTED.split("\n")[1:-1]:
    _n, *_cells = _line.split()
    for _i, _cell in enumerate(_cells):
        _level, _m = LEVELS[_i // 8], COMPARISONS[_i % 8]
        CRITICAL[int(_n), _level, _m] = None if _cell == "-" else int(_cell)

PROBLEMS = tuple(sorted({n for n, _, _ in CRITICAL}))


def printed_critical_value(n: int, m: int, alpha: float) -> int | None:
    """The largest count at which to reject, None where there is none; outside the table an error."""
    if (n, alpha, m) in CRITICAL:
        return CRITICAL[n, alpha, m]
    raise ParameterError(
        f"law='table' exists for n in {', '.join(map(str, PROBLEMS))} problems, 2 to 9 algorithms beside the control "
        f"and alpha 0.05 or 0.1; got n = {n}, {m} algorithms, alpha = {alpha:g}. Use law='exact'"
    )
