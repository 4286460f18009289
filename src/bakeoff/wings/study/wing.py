"""The wing *study*: power and replicability of the procedures themselves (``bo.study``), and the command."""

from bakeoff.wing import Wing

WING = Wing(about="power and replicability of procedures", imports=("bayes",), analyses=("wings.study.analysis",))
