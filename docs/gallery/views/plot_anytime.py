"""
Anytime curves: better from when to when?
=========================================

Runs recorded along the way; all budgets and pairs are judged at once, so that "better from budget 3 to 30" is a claim
that was tested.
"""

import numpy as np

import bakeoff as bo

rng = np.random.default_rng(1)
rows = []
budgets = np.unique(np.logspace(0, 3, 25).round())
for problem in range(20):
    level = rng.normal(0, 0.3)
    for name, start, slope in (("fast start", 1.0, 0.25), ("thorough", 1.6, 0.6), ("random", 1.3, 0.12)):
        noise = rng.normal(0, 0.15)
        for budget in budgets:
            score = 10 ** (start + level + noise - slope * np.log10(budget))
            rows.append({"problem": problem, "algorithm": name, "budget": budget, "score": score})
found = bo.curves(rows, better="lower", scale="log")
for pair in found.pairs:
    print(pair.verdict)

# %%
# Mean curves, and below them a line per pair: dark where the first is better, light where the second is.

bo.diagram(found)
