"""A global device is None until a function sets it to a CUDA name."""
import torch
from torch import nn

PLACE = None
TITLE = None


def configure(text):
    global PLACE, TITLE
    PLACE = text


configure("cuda")  # wants: XP103
model = nn.Linear(4, 1).to(PLACE or "cpu")
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(8):
    x = torch.randn(6, 4, device=PLACE)
    loss = model(x).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print("finished", TITLE, loss.item())
