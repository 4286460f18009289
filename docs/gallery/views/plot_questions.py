"""
Models on the same questions
============================

Three language models, 240 questions on 60 passages (simulated). Questions on one passage resemble each other; models
answer the same questions. Both change the error bars.
"""

import numpy as np

import bakeoff as bo

rng = np.random.default_rng(7)
passage = np.repeat(rng.normal(size=(60, 1)), 4, axis=0)
skill = passage + rng.normal(size=(240, 1))
right = (skill + np.array([0.9, 0.3, 0.2]) + rng.normal(size=(240, 3)) > 0).astype(float)
clusters = [f"passage {i // 4}" for i in range(240)]
scores = bo.Scores(right, ["large", "medium", "small"], better="higher", clusters=clusters)
found = bo.evaluate(scores, rng=1)
print(found.verdict)

# %%
# Means with their clustered intervals:

bo.diagram(found)

# %%
# What counts are the differences, on the same questions:

bo.diagram(found, "differences")
