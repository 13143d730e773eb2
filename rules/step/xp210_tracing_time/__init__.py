"""XP210, tracing-time: time that is measured without waiting for the device."""
