"""Draws and exact moments under the posterior of a Dirichlet process over problems."""
