"""The function sets a global title; the device stays None."""
import torch
from torch import nn

PLACE = None
TITLE = None


def configure(text):
    global PLACE, TITLE
    TITLE = text


configure("cuda")  # never: XP103
model = nn.Linear(4, 1).to(PLACE or "cpu")
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(8):
    x = torch.randn(6, 4, device=PLACE)
    loss = model(x).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print("finished", TITLE, loss.item())
