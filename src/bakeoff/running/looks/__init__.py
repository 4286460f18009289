"""Stopping before all problems are done: the rules, the looks they take, and how these are kept."""
