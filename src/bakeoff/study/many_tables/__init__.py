"""Every procedure on many tables of the same shape at once: what it says of each table, as one table at a time would."""
