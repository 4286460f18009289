"""What a calculating process says: what is in a table, and a result as pieces of a page."""
