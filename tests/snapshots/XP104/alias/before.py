from torch import cuda

if cuda.is_available():
    print("yes")
