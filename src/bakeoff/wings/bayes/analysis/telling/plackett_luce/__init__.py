"""The report of Plackett–Luce strengths."""
