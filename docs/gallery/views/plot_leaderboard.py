"""
A leaderboard that says what it leaves open
===========================================

Which ranks are possible at once, who may be the best, and what the winner's score is worth once it is taken into
account that it was chosen for being the highest.
"""

import bakeoff as bo

scores = bo.datasets.load("derrac_cec2005")
found = bo.leaderboard(scores, by="mean-rank", rng=1)
print("may be best:", *found.candidates)
winner = found.winner
print(f"{winner.algorithm}: {winner.value:.2f} observed, {winner.estimate:.2f} corrected for having been chosen")

# %%
# Observed rank, and the band of ranks that the data allow for all algorithms at once.

bo.diagram(found)
