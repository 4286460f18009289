"""Every procedure on many tables of one shape at once: what it says of each is what it says of one at a time."""
