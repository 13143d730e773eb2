"""XP214, shared-weights: a barrier before one model's first weights are copied into another."""
