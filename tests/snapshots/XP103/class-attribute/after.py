import torch
import torch_xla


class Config:
    device = "xla"


x = torch.randn(3, device=Config.device)
