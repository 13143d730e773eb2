device: str = "gpu"
