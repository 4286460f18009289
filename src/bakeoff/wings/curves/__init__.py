"""The wing *curves*: scores along a budget, shares of problems solved, run times with timeouts."""
