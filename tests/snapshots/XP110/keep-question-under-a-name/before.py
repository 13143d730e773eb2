import torch

multi_gpu = torch.cuda.device_count() > 1
if multi_gpu:
    print("many")
