DEVICE = "cpu"
