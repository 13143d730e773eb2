import torch
from acme_gpu import to_gpu

batch = to_gpu(torch.zeros(3))
