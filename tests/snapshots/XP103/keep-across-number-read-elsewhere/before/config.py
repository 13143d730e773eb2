DEVICE = "cuda:0"
