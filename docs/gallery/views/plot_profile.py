"""
Performance profile with bands
==============================

On which share of the functions is each optimiser within a factor τ of the best? With bands that hold for a whole
curve.
"""

import bakeoff as bo

scores = bo.datasets.load("derrac_cec2005").select(["SaDE", "DE-Exp", "SS-BLX", "PSO"])
found = bo.profile(scores, n_resamples=999)
for name, share in zip(scores.algorithms, found.at(2), strict=True):
    print(f"within twice the best error: {name} on {share:.0%}")

# %%
# Profiles depend on who takes part: read them one by one, not two against each other.

bo.diagram(found)
