"""
Sizes for a column or a page
============================

Type has its own size, 7 and 8 points, at any width: choose the width of the column instead of scaling the figure.
"""

import bakeoff as bo

result = bo.compare(bo.datasets.load("derrac_cec2005"))

# %%
# One column of a journal, 85 mm:

bo.diagram(result, width_mm=85)

# %%
# The width of a page, 180 mm:

bo.diagram(result, width_mm=180)

# %%
# ``bo.diagram(result, width_mm=85).save("ranks.pdf")`` writes it; the suffix picks SVG, PDF, PNG or TikZ, and TikZ
# takes the fonts of the paper.

print(repr(bo.diagram(result, width_mm=85)))
