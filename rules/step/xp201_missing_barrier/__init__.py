"""XP201, missing-barrier: one torch_xla.sync() per step."""
