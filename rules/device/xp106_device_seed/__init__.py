"""XP106, device-seed: torch_xla.manual_seed() beside torch.manual_seed()."""
