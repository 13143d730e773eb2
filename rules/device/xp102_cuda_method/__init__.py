"""XP102, cuda-method: .cuda() becomes .to(device)."""
