"""
When did it become slower?
==========================

Nightly times of three benchmarks over forty versions (simulated): one of them changed its level.
"""

import numpy as np

import bakeoff as bo

rng = np.random.default_rng(8)
times = np.array([[10.0], [4.0], [25.0]]) * rng.lognormal(0, 0.03, (3, 40))
times[1, 22:] *= 1.12
versions = [f"v{i + 1}" for i in range(40)]
found = bo.change_points(bo.Scores(times, versions, ["parse", "index", "sort"], better="lower"), n_resamples=999)
for step in found.steps:
    print(f"from {step.version} on: × {step.change:.2f} [{step.low:.2f}, {step.high:.2f}], p = {step.pvalue:.3f}")

# %%
# A dot per version, the level of each segment, a dashed line at the change.

bo.diagram(found)
