"""What the analysis computes, in the file of its function."""

from bakeoff.wings.boards.leaderboard.statistics._leaderboard import (
    corrected_winner as corrected_winner,
    leaderboard as leaderboard,
)
from bakeoff.wings.boards.leaderboard.statistics.results import (
    By as By,
    Leaderboard as Leaderboard,
    LeaderboardRow as LeaderboardRow,
    Winner as Winner,
    estimand as estimand,
)
