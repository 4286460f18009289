"""Simulations: how often a procedure errs, beside what it promises."""
