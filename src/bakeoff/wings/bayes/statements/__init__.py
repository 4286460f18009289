"""Statements that one algorithm is better than another, alone and jointly."""
