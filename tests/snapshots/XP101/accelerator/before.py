import torch

device = torch.accelerator.current_accelerator()
