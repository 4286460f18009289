"""How many problems and runs an experiment needs, before it is run: ``bo.plan``."""
