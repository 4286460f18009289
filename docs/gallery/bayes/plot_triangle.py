"""
Better, equivalent, worse: the triangle
=======================================

C4.5 with and without tuning on 14 data sets (Demšar 2006, Table 2). Differences of up to one point do not matter: the
region of practical equivalence (rope) is 0.01.
"""

import bakeoff as bo

scores = bo.datasets.load("demsar_2006")
found = bo.bayes.signed_rank(scores, "C4.5+m", "C4.5", rope=0.01)
print(f"better {found.p_better:.3f}, equivalent {found.p_equivalent:.3f}, worse {found.p_worse:.3f}: {found.verdict}")

# %%
# Each point is a draw from the posterior, placed by its three shares; dashed lines separate the regions in which
# each of them is the largest.

bo.diagram(found)

# %%
# Without a rope the triangle is a line, and the draws are a density along it.

bo.diagram(bo.bayes.signed_rank(scores, "C4.5+m", "C4.5"))
