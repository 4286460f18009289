"""
Who is better than whom, all statements together
================================================

Nine optimisers on 25 functions: as many statements as hold *jointly* with probability above 0.95.
"""

import bakeoff as bo

scores = bo.datasets.load("derrac_cec2005")
found = bo.bayes.compare(scores)
accepted = [statement for statement in found.statements if statement.accepted]
print(f"{len(accepted)} statements, jointly {found.joint:.3f}")

# %%
# A dark cell: the row is better than the column. A grey cell: it is worse. A white cell: no statement.

bo.diagram(found)
