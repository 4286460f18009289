"""The report of a plan: the planning questions, answered."""
