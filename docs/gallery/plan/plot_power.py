"""
Which test finds more?
======================

The experiment of Demšar (2006, section 4) on the accuracies of García et al. (2010): ten data sets are drawn, more
and more of those that favour one classifier, and each procedure decides.
"""

import bakeoff as bo

scores = bo.datasets.load("garcia_2010")
tests = ["wilcoxon", "sign", "t", "bayes-sign"]
found = bo.study.power(scores, "PDFC", "NNEP", tests=tests, draws=100, bias=(0, 5, 10, 15, 20))
for test in tests:
    print(test, [round(found.row(test, k).rejections, 2) for k in (0, 10, 20)])

# %%
# The share of draws that reject, and below it the mean p.

bo.diagram(found)
