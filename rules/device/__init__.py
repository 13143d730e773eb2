"""XP1xx: device acquisition, device strings, guards, pinned memory, seeds."""
