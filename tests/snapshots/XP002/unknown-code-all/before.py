import torch

x = torch.zeros(3).cuda()  # xlaport: ignore[F401, XP102]
