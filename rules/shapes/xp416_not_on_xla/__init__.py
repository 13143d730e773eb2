"""XP416, not-on-xla: what tensors of XLA do not have."""
