"""
Critical difference diagram
===========================

Four variants of C4.5 on the 14 data sets of Demšar (2006), Table 6. Which differ?
"""

import bakeoff as bo

scores = bo.datasets.load("demsar_2006")
result = bo.compare(scores)
print(result.verdict)

# %%
# Best at the left; bars join variants that were not shown to differ. The axis has mean ranks, but Wilcoxon's tests
# with Bergmann and Hommel's correction decide, pair by pair, as the caption says.

bo.diagram(result)

# %%
# The diagram as Demšar drew it: Nemenyi's test, with its critical difference. It finds nothing here, because it
# asks more of each pair. The page of Nemenyi's test says why it is not the default.

nemenyi = bo.compare(scores, posthoc="nemenyi")
print(f"critical difference {nemenyi.critical_difference:.3f}")
bo.diagram(nemenyi)
