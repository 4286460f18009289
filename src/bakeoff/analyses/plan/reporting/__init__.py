"""What a plan says: the planning questions, answered."""
