"""XP205, tie-before-move: weights are tied again after model.to(device)."""
