"""What a run shows, and what rests on it."""
