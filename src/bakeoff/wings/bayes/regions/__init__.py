"""Credible regions of the mean ranks."""
