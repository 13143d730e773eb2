"""The dict holds a fixed place."""
import torch
from torch import nn

model = nn.Linear(6, 4).cuda()
optimizer = torch.optim.Adam(model.parameters())
best = {}


def pick(table, info):
    return table[info["place"]]  # never: XP424|XP422|XP301|XP302|XP303|XP304|XP305|XP306|XP308


for step in range(15):
    x = torch.randn(9, 6).cuda()
    out = model(x)
    best["place"] = 3
    loss = pick(out, best).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(loss.item())
