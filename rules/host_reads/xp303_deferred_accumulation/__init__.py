"""XP303, deferred-accumulation: a sum of host reads is kept on the TPU, and read once."""
