"""Sequential stopping: boundaries, looks, the state of a race, and how they are stored."""
