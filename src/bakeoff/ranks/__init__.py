"""Ranks within a problem, aligned ranks, weighted (Quade) ranks; rank 1 is always best.

Inside the package ranks travel *doubled*, as integers, so that sums are exact and do not depend on the order of
problems or algorithms.
"""

from bakeoff.ranks._rank import doubled_ranks as doubled_ranks
from bakeoff.ranks._rank import doubled_row_ranks as doubled_row_ranks
from bakeoff.ranks._rank import rank as rank
from bakeoff.ranks._rank_aligned import doubled_aligned_ranks as doubled_aligned_ranks
from bakeoff.ranks._rank_aligned import rank_aligned as rank_aligned
from bakeoff.ranks._rank_weighted import doubled_problem_ranks as doubled_problem_ranks
from bakeoff.ranks._rank_weighted import rank_weighted as rank_weighted
from bakeoff.ranks.ties import TIE_ULPS as TIE_ULPS
from bakeoff.ranks.ties import Ints as Ints
from bakeoff.ranks.ties import doubled_tied_ranks as doubled_tied_ranks
from bakeoff.ranks.ties import refuse_overflow as refuse_overflow
from bakeoff.ranks.ties import tie_groups as tie_groups
from bakeoff.ranks.ties import tie_tolerance as tie_tolerance
