"""What the analysis computes, in the file of its function."""

from bakeoff.wings.boards.iqm.statistics._interquartile_mean import *  # noqa: F403
