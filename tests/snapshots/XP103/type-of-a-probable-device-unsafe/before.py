def sync(self, device):
    if device.type == "cuda" or self.main_device.type in ("cuda", "mps"):
        print("wait")
