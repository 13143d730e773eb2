import torch
from torch import nn

device = torch.device("cuda")
model = nn.Linear(4, 4).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


class Storage:
    def __init__(self):
        self.rows = torch.zeros(64, 4)
        self.flags = torch.zeros(64)
        self.step = 0

    def to(self, device):
        self.rows = self.rows.to(device)
        self.flags = self.flags.to(device)

    def insert(self, row, flag):
        self.rows[torch.tensor([self.step])] = row.to(self.rows)
        self.flags[torch.tensor([self.step])] = flag.to(self.flags)
        self.step += 1


storage = Storage()
storage.to(device)
losses, host, kept = torch.zeros(64).to(device), torch.zeros(64), [None] * 64
table, given = torch.zeros(64, 64).to(device), input
for step in range(64):
    out = model(torch.ones(2, 4, device=device))
    storage.insert(out[0].detach(), torch.tensor(1.0))
    loss = out.sum()
    losses[torch.tensor([step])] = (loss.detach() * 2).to(losses)
    table[torch.tensor([step])] = 0
    # Kept: several places, a part of a row, of the host, a list, what nobody knows, another statement in the line.
    losses[step], table[step] = loss.detach(), loss.detach()
    table[step, step] = 1
    table[step][:2] = 0
    host[step] = 1
    kept[step] = loss.detach()
    table[step] = given()
    table[step].copy_(losses, non_blocking=True)
    table[step] = table[step] + loss.detach()
    losses[torch.tensor([step])] = loss.detach().to(losses)  # of this step
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
