"""The report of a sensitivity analysis."""
