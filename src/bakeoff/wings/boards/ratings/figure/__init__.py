"""Log strengths, and ranks by category."""
