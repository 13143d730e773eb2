"""A callback of an ExitStack saves the model's weights at the end."""
import contextlib
import torch
from torch import nn

path = "/tmp/hidden_exit_stack.pt"
results = {"losses": [0.5]}
model = nn.Linear(4, 4).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def write(make, file):
    torch.save(make(), file)  # wants: XP702


with contextlib.ExitStack() as stack:
    stack.callback(write, model.state_dict, path)
    for step in range(10):
        loss = model(torch.randn(8, 4).cuda()).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
print("saved", len(torch.load(path, map_location="cpu")))
