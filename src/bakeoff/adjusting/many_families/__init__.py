"""Corrections of many families of the same size at once: (m, t) p-values, a column for each family."""
