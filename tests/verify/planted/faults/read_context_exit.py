# planted: host-read
# A context manager that reads as it is left.
import torch
import torch_xla
from torch import nn


class Step:
    def __enter__(self):
        self.loss = None
        return self

    def __exit__(self, *exception):
        torch_xla.sync()
        print("loss", float(self.loss))  # <- here


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


for number in range(9):
    with Step() as step:
        step.loss = train_step(torch.randn(4, 8).to(device))
