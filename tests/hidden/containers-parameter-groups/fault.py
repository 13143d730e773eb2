"""Parameters are sorted into groups, then given to the optimizer, then replaced."""
import torch
from torch import nn

model = nn.Sequential(nn.Linear(8, 8), nn.LayerNorm(8), nn.Linear(8, 2))
groups = {"decay": [], "rest": []}
for name, parameter in model.named_parameters():
    groups["rest" if parameter.ndim == 1 else "decay"].append(parameter)  # or: XP203|XP208
options = [{"params": groups["decay"], "weight_decay": 0.1}, {"params": groups["rest"]}]
optimizer = torch.optim.AdamW(options, lr=1e-3)  # wants: XP203|XP208
model.cuda()

for step in range(10):
    x = torch.randn(4, 8).cuda()
    y = torch.randint(2, (4,)).cuda()
    loss = nn.functional.cross_entropy(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(loss.item())
