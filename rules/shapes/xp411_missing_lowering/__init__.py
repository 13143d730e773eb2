"""XP411, missing-lowering: an operation that XLA has no kernel for runs on the host."""
