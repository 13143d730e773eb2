"""XP8xx: CUDA runtime calls and flags."""
