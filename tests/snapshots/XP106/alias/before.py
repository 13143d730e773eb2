from torch import cuda, manual_seed

manual_seed(3)
cuda.manual_seed(3)
