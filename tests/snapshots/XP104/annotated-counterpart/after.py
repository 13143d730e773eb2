
device: str = "gpu"
