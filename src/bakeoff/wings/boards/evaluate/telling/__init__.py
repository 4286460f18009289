"""Means of models over questions."""
