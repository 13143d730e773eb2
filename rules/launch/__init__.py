"""XP81x: what stands beside the code and launches it: configurations, launchers, requirements."""
