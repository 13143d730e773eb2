import torch
from torch import nn
from torch.utils.data import DataLoader


class Meter:
    def __init__(self):
        self.value = 0
        self.total = 0
        self.count = 0

    def update(self, value, n=1):
        self.value = value
        self.total += value * n
        self.count += n

    @property
    def mean(self):
        return self.total / self.count


class Contrast(nn.Module):
    def forward(self, scores):
        wanted = scores.select(1, 0)
        others = scores.narrow(1, 1, scores.size(1) - 1)
        return -(wanted.log().sum(0) + others.view(-1, 1).log().sum(0)) / scores.size(0)


class Whole(nn.Module):
    def forward(self, scores):
        return scores.mean()


def make(plain):
    model = nn.Linear(4, 5)
    contrast = Whole() if plain else Contrast()
    if torch.cuda.is_available():
        model = model.cuda()
        contrast = contrast.cuda()
    return model, contrast


device = torch.device("cuda")
model, contrast = make(False)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
losses = Meter()
total = torch.tensor([0.0], device=device)
for step, x in enumerate(DataLoader(torch.rand(16, 4), batch_size=4, drop_last=True)):
    loss = contrast(model(x.to(device)).sigmoid())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    losses.update(loss.squeeze().detach(), x.size(0))
    total += loss.squeeze().detach()
    if step % 10 == 0:
        print(f"{losses.value:.3f} {losses.mean:.3f} {total.item():.3f}")
