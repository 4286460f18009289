"""Curves, and interquartile means along the budget."""
