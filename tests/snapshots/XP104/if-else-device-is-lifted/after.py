
device = "gpu"
