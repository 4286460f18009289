"""
Many algorithms
===============

Thirty settings of one method on sixty problems (simulated: ten good, twenty worse). From 25 algorithms on the diagram
is a ranked list with the matrix of all verdicts, row against column.
"""

import numpy as np

import bakeoff as bo

rng = np.random.default_rng(5)
level = np.r_[np.zeros(10), np.linspace(0.3, 1.5, 20)]
errors = np.exp(rng.normal(size=(60, 1)) + level + rng.normal(0, 0.8, (60, 30)))
scores = bo.Scores(errors, [f"setting {i + 1}" for i in range(30)], better="lower")
result = bo.compare(scores)
print(result.verdict)

# %%
# 435 pairs; beyond 12 algorithms Shaffer's procedure corrects for them.

bo.diagram(result)
