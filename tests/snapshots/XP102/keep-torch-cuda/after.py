import torch
import torch.cuda
from torch import cuda

torch.cuda.empty_cache()
cuda.empty_cache()
