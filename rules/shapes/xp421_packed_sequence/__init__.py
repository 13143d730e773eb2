"""XP421, packed-sequence: packed sequences raise on XLA."""
