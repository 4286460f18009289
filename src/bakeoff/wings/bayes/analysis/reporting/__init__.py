"""The report of Bayesian results."""
