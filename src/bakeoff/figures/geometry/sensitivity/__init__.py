"""Layout of the figure of a sensitivity analysis."""
