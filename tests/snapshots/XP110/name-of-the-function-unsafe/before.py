import torch

count = torch.cuda.device_count
n_gpu = count()
