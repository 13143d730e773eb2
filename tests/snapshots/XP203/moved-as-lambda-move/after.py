"""A lambda moves the model after the optimizer was built."""
import torch
import torch_xla
from torch import nn

ready = lambda part: part.cuda()
model = nn.TransformerEncoderLayer(8, 2, 16, batch_first=True)
model.to(torch_xla.device())
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)
ready(model)
for step in range(8):
    x = torch.randn(2, 5, 8).cuda()
    loss = (model(x) - x).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(loss.item())
