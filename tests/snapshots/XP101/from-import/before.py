from torch import cuda, device

dev = device("cuda" if cuda.is_available() else "cpu")
