"""What is left after the deletion is another model."""
import torch
from torch import nn

model = nn.Linear(9, 9)
spare = nn.Linear(9, 9)
kept = spare
model.cuda()
optimizer = torch.optim.NAdam(model.parameters(), lr=0.01)  # never: XP203
trained = model
del model
kept.cuda()

for step in range(10):
    x = torch.randn(3, 9, device="cuda")
    loss = (trained(x) - x).abs().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(loss.item(), kept.weight.shape)
