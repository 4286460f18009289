"""What a pilot experiment says about the runs that a plan needs."""
