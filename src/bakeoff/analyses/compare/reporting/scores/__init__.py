"""The table of scores, problems × algorithms."""
