"""XP0xx: comments that ask to ignore findings."""
