"""XP7xx: loading and saving checkpoints."""
