"""XP415, device-decision: a step that decides by a value of the device."""
