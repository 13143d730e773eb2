import torch
import torch_xla

x = torch.zeros(3)  # xlaport: ignore[XP102] it was moved here once
y = x.cuda()  # xlaport: ignore[XP102, XP301] only one of them
z = x + 1  # xlaport: ignore
# xlaport: ignore[XP102]

w = x.to(torch_xla.device())
