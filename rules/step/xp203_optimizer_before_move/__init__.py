"""XP203, optimizer-before-move: the optimizer is built after model.to(device)."""
