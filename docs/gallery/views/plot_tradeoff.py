"""
Accuracy against seconds
========================

Five models on forty tasks. Which have no better alternative, which are dominated, and of which can it not be told?
"""

import numpy as np

import bakeoff as bo

rng = np.random.default_rng(2)
names = ["tiny", "small", "old", "large", "huge"]
task = 0.05 * rng.normal(size=(40, 1))
accuracy = np.array([0.70, 0.78, 0.77, 0.84, 0.845]) + task + 0.02 * rng.normal(size=(40, 5))
seconds = np.array([1.0, 2.0, 4.0, 5.0, 9.0]) * rng.lognormal(0, 0.5, (40, 1)) * rng.lognormal(0, 0.2, (40, 5))
metrics = {
    "accuracy": bo.Scores(accuracy, names, better="higher"),
    "seconds": bo.Scores(seconds, names, better="lower"),
}
found = bo.tradeoff(metrics, margins={"accuracy": 0.01, "seconds": "5%"}, rng=1)
print("frontier:", *found.frontier, "| dominated:", *found.dominated, "| cannot tell:", *found.cannot_tell)

# %%
# Filled: on the frontier; a cross: dominated; open: cannot tell.

bo.diagram(found)
