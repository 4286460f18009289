"""The answer to the question asked in advance: test, effect, power, checks, and what to be careful about."""
