"""XP402, growing-tensor: a tensor that is larger in every step."""
