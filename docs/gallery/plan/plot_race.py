"""
What would a race have saved?
=============================

Twenty settings of one method on two hundred problems (simulated). A race drops those that were shown to be worse,
problem by problem; a given best one is lost with probability at most 0.05, however often one looks.
"""

import numpy as np

import bakeoff as bo

rng = np.random.default_rng(6)
level = np.r_[0.0, np.linspace(0.2, 1.5, 19)]
errors = rng.normal(size=(200, 1)) + level + rng.normal(0, 1.0, (200, 20))
scores = bo.Scores(errors, [f"setting {i + 1}" for i in range(20)], better="lower")
found = bo.race.replay(scores)
print(f"{len(found.survivors)} left, {found.saved:.0%} of the runs saved; best: {found.best}")

# %%
# The evidence against each setting over the evaluations spent; a line ends where its setting was dropped.

bo.diagram(found)
