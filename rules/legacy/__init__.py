"""XP9xx: old torch_xla."""
