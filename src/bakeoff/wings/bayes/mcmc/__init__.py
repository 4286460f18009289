"""Markov chain Monte Carlo: diagnostics, and the samplers of the hierarchical model."""
