"""XP207, barrier-in-step: a barrier in the middle of a step, or inside of a trace."""
