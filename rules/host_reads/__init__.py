"""XP3xx: host reads."""
