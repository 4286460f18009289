"""
How many problems?
==================

The power of a paired t-test against the number of problems, for the smallest difference that would matter: half a
standard deviation of the differences (Campelo & Takahashi 2019: 34 problems).
"""

import bakeoff as bo

plan = bo.plan.instances(0.5)
print(plan.n, "problems, power", round(plan.power, 3))
bo.diagram(bo.plan.curve(effect_size=0.5))

# %%
# The other way round: which differences do the 14 data sets at hand find?

bo.diagram(bo.plan.curve(14, n_algorithms=4))
