import torch
import torch_xla

x = torch.ones(3).to(torch_xla.device())  # xlaport: ignore[XP102]
print(x.sum().item())
