"""XP105, pinned-memory: pin_memory goes: it serves CUDA copies only."""
