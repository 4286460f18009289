"""The wing *boards*: means of many questions or runs, leaderboards, ratings, and several metrics at once."""
