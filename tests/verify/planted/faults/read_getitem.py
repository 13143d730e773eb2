# planted: host-read
# A container that gives numbers: the read is in its __getitem__.
import torch
import torch_xla
from torch import nn


class Scores:
    def __init__(self):
        self.kept = []

    def __getitem__(self, index):
        return self.kept[index].tolist()  # <- here


device = torch_xla.device()
torch.manual_seed(0)
model = nn.Linear(8, 2).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
scores = Scores()


def train_step(x):
    optimizer.zero_grad()
    loss = model(x).pow(2).mean()
    loss.backward()
    optimizer.step()
    return loss


for step in range(9):
    scores.kept.append(train_step(torch.randn(4, 8).to(device)).detach())
    torch_xla.sync()
    print(scores[-1])
