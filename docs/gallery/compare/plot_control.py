"""
One algorithm against all others
================================

SaDE was the algorithm of interest before the table was seen: eight comparisons instead of thirty-six, on the 25
functions of the CEC 2005 benchmark (Derrac et al. 2011).
"""

import bakeoff as bo

scores = bo.datasets.load("derrac_cec2005")
result = bo.compare(scores, control="SaDE")
print(result.verdict)

# %%
# A mark for each verdict, filled where SaDE was shown to be better.

bo.diagram(result, highlight="SaDE")

# %%
# Sizes come with the verdicts: how much lower the error is on a typical problem, with an interval that holds for
# all eight at once.

for pair in result.pairs:
    low, high = pair.interval.low, pair.interval.high
    print(f"{pair.b:12} {pair.verdict:20} {pair.effect.estimate:9.3g}  [{low:.3g}, {high:.3g}]")
