"""What the analysis computes, in the file of its function."""

from bakeoff.wings.boards.tradeoff.statistics._tradeoff import *  # noqa: F403
