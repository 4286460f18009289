"""
Runtimes with timeouts: the cactus, with bands
==============================================

Two solvers on 120 instances with a limit of 1000 s (simulated): *quick* wins more often, *steady* solves more.
"""

import numpy as np

import bakeoff as bo

rng = np.random.default_rng(4)
hard = rng.normal(3, 2.0, 120)
quick = np.exp(hard + rng.normal(-0.9, 0.7, 120) + np.maximum(hard - 4.5, 0) * 1.5)
steady = np.exp(hard + rng.normal(0, 0.4, 120))
scores = bo.Scores(np.minimum(np.c_[quick, steady], 1000), ["quick", "steady"], better="lower")
found = bo.runtimes(scores, cap=1000, n_resamples=500, rng=1)
print(found.verdict)

# %%
# The share of instances solved within a time.

bo.diagram(found)

# %%
# What a timeout counts is a choice: PAR1 and PAR10 can disagree, the order of times cannot.

for penalty, means in found.par.items():
    print(f"PAR{penalty:g}: quick {means[0]:.0f} s, steady {means[1]:.0f} s")
