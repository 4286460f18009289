"""What the analysis computes, in the file of its function."""

from bakeoff.wings.boards.ratings.statistics._ratings import *  # noqa: F403
