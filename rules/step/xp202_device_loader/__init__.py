"""XP202, device-loader: MpDeviceLoader brings batches to the device in the background."""
