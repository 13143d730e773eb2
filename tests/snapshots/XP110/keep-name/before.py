import torch

n_gpu = torch.cuda.device_count()
if n_gpu > 0:
    print("fast")
