"""The archive is told the CPU."""
from contextlib import closing
from functools import partial

import torch
from torch import nn


class Archive:
    def __init__(self, path, **how):
        self.file = open(path, "rb")
        self.fetch = partial(torch.load, self.file, **how)  # never: XP701

    def load(self, **more):
        return self.fetch(**more)  # never: XP701

    def close(self):
        self.file.close()


path = "/tmp/unseen_archive.pt"
torch.save(nn.Linear(4, 4).state_dict(), path)
device = torch.device("cuda")
model = nn.Linear(4, 4).to(device)
with closing(Archive(path, map_location="cpu")) as archive:  # never: XP701
    model.load_state_dict(archive.load(weights_only=True))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for _ in range(8):
    loss = model(torch.randn(4, 4, device=device)).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(loss.item())
