"""contextlib.closing keeps an archive open, whose load is a method that forwards its keywords to a bound partial."""
from contextlib import closing
from functools import partial

import torch
from torch import nn


class Archive:
    def __init__(self, path, **how):
        self.file = open(path, "rb")
        self.fetch = partial(torch.load, self.file, **how)  # or: XP701

    def load(self, **more):
        return self.fetch(**more)  # or: XP701

    def close(self):
        self.file.close()


path = "/tmp/unseen_archive.pt"
torch.save(nn.Linear(4, 4).state_dict(), path)
device = torch.device("cuda")
model = nn.Linear(4, 4).to(device)
with closing(Archive(path, map_location=device)) as archive:  # wants: XP701
    model.load_state_dict(archive.load(weights_only=True))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for _ in range(8):
    loss = model(torch.randn(4, 4, device=device)).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(loss.item())
