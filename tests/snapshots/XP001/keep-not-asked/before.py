import torch

x = torch.zeros(3)  # xlaport: ignore[XP102]
y = torch.zeros(3)  # xlaport: ignore
