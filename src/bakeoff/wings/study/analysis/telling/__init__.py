"""What a simulation study says: a row for each method."""
