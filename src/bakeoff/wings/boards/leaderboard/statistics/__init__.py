"""What the analysis computes, in the file of its function."""

from bakeoff.wings.boards.leaderboard.statistics._leaderboard import *  # noqa: F403
