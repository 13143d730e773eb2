"""XP408, masked-value: what a mask selects is computed with torch.where()."""
