"""Ranks within a problem, aligned ranks, weighted (Quade) ranks; rank 1 is always best.

Inside the package ranks are kept *doubled*, as integers, so that sums are exact and do not depend on the order of
problems or algorithms.
"""

from bakeoff.ranks._rank import (
    doubled_ranks as doubled_ranks,
    doubled_ranks_of as doubled_ranks_of,
    doubled_row_ranks as doubled_row_ranks,
    rank as rank,
)
from bakeoff.ranks._rank_aligned import (
    aligned_costs as aligned_costs,
    aligned_ranks_of as aligned_ranks_of,
    doubled_aligned_ranks as doubled_aligned_ranks,
    rank_aligned as rank_aligned,
)
from bakeoff.ranks._rank_weighted import doubled_problem_ranks as doubled_problem_ranks, rank_weighted as rank_weighted
from bakeoff.ranks.ties import (
    TIE_ULPS as TIE_ULPS,
    Ints as Ints,
    all_equal as all_equal,
    doubled_tied_ranks as doubled_tied_ranks,
    refuse_overflow as refuse_overflow,
    tie_groups as tie_groups,
    tie_tolerance as tie_tolerance,
)
