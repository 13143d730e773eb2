import torch


class Config:
    device = "cuda"


x = torch.randn(3, device=Config.device)
