"""XP95x: from torch_xla to the target that succeeds it."""
