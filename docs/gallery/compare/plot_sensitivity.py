"""
How solid is a verdict?
=======================

Three differences were shown on the CEC 2005 functions. Would other tests, or other problems, have shown them too?
"""

import bakeoff as bo

scores = bo.datasets.load("derrac_cec2005")
found = bo.sensitivity(scores, control="SaDE", n_resamples=100, rng=1)
print(found.verdict)

# %%
# A row per pair, a column per analysis: 43 combinations of tests and corrections, and the leave-one-out analyses.

bo.diagram(found)

# %%
# The difference to CHC does not hang on single problems, those to PSO and SSGA do:

for pair in found.pairs:
    if pair.verdict != "no difference shown":
        print(f"{pair.b:5} falls without {pair.fragility.n} of 25 problems")
