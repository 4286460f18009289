"""Clusters of problems as the unit of a comparison."""
