"""XP5xx: precision: numbers that a TPU does not have, and mixed precision."""
