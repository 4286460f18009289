"""What a study of the procedures looks like."""
