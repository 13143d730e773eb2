"""The model's first name is deleted; the second one moves it."""
import torch
from torch import nn

model = nn.Linear(9, 9)
spare = nn.Linear(9, 9)
kept = model
optimizer = torch.optim.NAdam(model.parameters(), lr=0.01)  # wants: XP203
del model
kept.cuda()
trained = kept

for step in range(10):
    x = torch.randn(3, 9, device="cuda")
    loss = (trained(x) - x).abs().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(loss.item(), kept.weight.shape)
