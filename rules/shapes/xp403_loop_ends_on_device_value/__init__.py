"""XP403, loop-ends-on-device-value: a loop that ends by a value of the device."""
