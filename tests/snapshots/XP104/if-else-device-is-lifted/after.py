device = "gpu"
