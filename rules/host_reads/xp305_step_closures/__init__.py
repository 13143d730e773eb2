"""XP305, step-closures: log statements run beside the next step."""
