"""XP2xx: the step: barriers, loaders, the order of optimizer and move, waiting for the device."""
