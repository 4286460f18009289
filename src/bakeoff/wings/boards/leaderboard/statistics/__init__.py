"""Claims of a leaderboard: who may be best, which ranks are possible, what the winner is worth.

``means.selected_mean`` has the distribution of a mean that was looked at because it was the largest; pairs come from
``evaluate``.
"""

from bakeoff.wings.boards.leaderboard.statistics._leaderboard import estimand as estimand, leaderboard as leaderboard
from bakeoff.wings.boards.leaderboard.statistics.results import (
    Leaderboard as Leaderboard,
    LeaderboardRow as LeaderboardRow,
    Winner as Winner,
)
