"""The wing *boards*: means of many questions or runs, leaderboards, ratings, and several metrics at once."""

from bakeoff.wing import Wing

WING = Wing(
    about="evaluate, leaderboard, iqm, ratings, tradeoff",
    analyses=(
        "wings.boards.evaluate",
        "wings.boards.leaderboard",
        "wings.boards.tradeoff",
        "wings.boards.iqm",
        "wings.boards.ratings",
    ),
)
