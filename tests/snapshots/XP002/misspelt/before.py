import torch

a = torch.zeros(3).cuda()  # xlaport: ignore XP102
b = torch.zeros(3).cuda()  # xlaport: ignore[XP102
c = torch.zeros(3).cuda()  # xlaport: ignore[]
d = torch.zeros(3).cuda()  # xlaport: ignore[XP102 XP103]
e = torch.zeros(3).cuda()  # xlaport: ingore[XP102]
f = torch.zeros(3).cuda()  # xlaport: noqa
g = torch.zeros(3).cuda()  # xlaport:
h = torch.zeros(3).cuda()  # xlaport: skip-file
# xlaport: skip-file[XP102]
