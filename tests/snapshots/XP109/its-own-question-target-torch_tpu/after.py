import torch

x = torch.ones(2, device=torch.accelerator.current_accelerator())
if x.is_tpu:
    print("on the accelerator")
