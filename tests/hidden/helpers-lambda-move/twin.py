"""The lambda sets the model to training; the move came first."""
import torch
from torch import nn

ready = lambda part: part.train()
model = nn.TransformerEncoderLayer(8, 2, 16, batch_first=True)
model.cuda()
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)  # never: XP203
ready(model)
for step in range(8):
    x = torch.randn(2, 5, 8).cuda()
    loss = (model(x) - x).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(loss.item())
