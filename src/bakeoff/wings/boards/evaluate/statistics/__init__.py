"""What the analysis computes, in the file of its function."""

from bakeoff.wings.boards.evaluate.statistics._evaluate import *  # noqa: F403
