"""
Which one to choose? Ridges of mean ranks
=========================================

The posterior of each optimiser's mean rank on functions like the 25 of CEC 2005, the probability to be best, and what
a wrong choice is expected to cost.
"""

import bakeoff as bo

scores = bo.datasets.load("derrac_cec2005")
found = bo.bayes.rank_probabilities(scores)
for name, best, loss in zip(scores.algorithms, found.p_best, found.expected_loss, strict=True):
    print(f"{name:12} best with {best:.3f}, expected loss {loss:.2f} ranks")

# %%
# The more the densities overlap, the less certain is the ranking.

bo.diagram(found)
