import torch

x = torch.zeros(3).cuda()  # xlaport: ignore[XP102] another process wants it there
# xlaport: ignore[XP1]
y = x.cuda()
z = torch.zeros(
    3,
    device="cuda",
)  # xlaport: ignore
