"""A list of parameters, kept under a second name, outlives the move."""
import torch
from torch import nn

trunk, head = nn.Linear(10, 10), nn.Linear(10, 2)
trunk.cuda()
module = head
kept = list(module.parameters())  # wants: XP208
to_clip = kept
head.cuda()
opt = torch.optim.Adam(list(head.parameters()) + list(trunk.parameters()), lr=1e-3)
for step in range(14):
    x = torch.randn(8, 10, device="cuda")
    y = torch.randint(2, (8,), device="cuda")
    loss = nn.functional.cross_entropy(head(trunk(x).relu()), y)
    opt.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(to_clip, 0.5)
    opt.step()
print("ok", loss.item())
