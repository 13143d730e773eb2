import torch

torch.accelerator.synchronize()
