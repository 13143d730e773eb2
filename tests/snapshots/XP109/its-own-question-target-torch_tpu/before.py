import torch

x = torch.ones(2, device=torch.accelerator.current_accelerator())
if x.is_cuda:
    print("on the accelerator")
