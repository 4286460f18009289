"""Which design of a table each analysis respects: the tables, the doors, and the matrix of both."""
