"""
Who will be first on the next problem?
======================================

Two different questions: who is strongest, and who wins next? By the Plackett–Luce model of whole rankings.
"""

import bakeoff as bo

scores = bo.datasets.load("derrac_cec2005")
found = bo.bayes.plackett_luce(scores, rng=1)
first = found.ranked[0]
print(f"{found.algorithms[first]}: strongest with probability {found.p_best[first]:.2f},")
print(f"first on the next problem with {found.p_first[first]:.2f}")

# %%
# Even the strongest of nine is first on every fifth problem only.

bo.diagram(found)
