"""
Equal, or only not shown to differ?
===================================

Two models on thirty data sets whose accuracies differ by less than half a point. A margin, fixed beforehand, tells
"practically equal" from "cannot tell".
"""

import numpy as np

import bakeoff as bo

rng = np.random.default_rng(11)
old = rng.uniform(0.6, 0.95, 30)
accuracy = np.c_[old + rng.normal(0, 0.006, 30), old, old - rng.normal(0.03, 0.02, 30)]
scores = bo.Scores(accuracy.round(4), ["distilled", "teacher", "pruned"], better="higher")
result = bo.compare(scores, control="teacher", margin=0.01)
for pair in result.pairs:
    print(f"{pair.a} and {pair.b}: {pair.verdict}; difference {pair.effect.estimate:+.4f}")

# %%
# The diagram shows which differences were shown; equality is in the verdicts.

bo.diagram(result)
