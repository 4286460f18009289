"""The wing *bayes*: posterior statements (``bo.bayes``), and the command."""

from bakeoff.wing import Wing

WING = Wing(about="posterior statements, bayes", analyses=("wings.bayes.analysis",))
