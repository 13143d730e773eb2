"""XP208, kept-before-move: lists, hooks and marks of parameters come after model.to(device)."""
