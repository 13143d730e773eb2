"""XP302, read-before-barrier: a host read moves after the step's sync."""
