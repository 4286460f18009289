"""The analysis of an experiment: test, effect, power profile, checks and cautions."""
