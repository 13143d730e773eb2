DEVICE = "cuda"
