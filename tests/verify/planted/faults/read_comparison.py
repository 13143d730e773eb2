# planted: host-read, extra-execution
# Early stopping compares in each step: `<` gives a tensor, `if` reads it.
import torch
import torch_xla
from torch import nn

device = torch_xla.device()
torch.manual_seed(0)
model = nn.Linear(8, 2).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def train_step(x):
    optimizer.zero_grad()
    loss = model(x).pow(2).mean()
    loss.backward()
    optimizer.step()
    return loss


class EarlyStopping:
    def __init__(self, patience):
        self.best, self.bad, self.patience = torch.tensor(1e9, device=device), 0, patience

    def __call__(self, loss):
        if loss.detach() < self.best:  # <- here
            self.best, self.bad = loss.detach(), 0
        else:
            self.bad += 1
        return self.bad > self.patience


stop = EarlyStopping(100)
for step in range(9):
    loss = train_step(torch.randn(4, 8).to(device))
    torch_xla.sync()
    if stop(loss):
        break
