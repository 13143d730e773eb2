import torch
from torch import nn
from torch.utils.data import DataLoader


class Meter:
    def __init__(self):
        self.val = 0
        self.sum = 0
        self.count = 0

    def update(self, val, n=1):
        self.val = val
        self.sum += val * n
        self.count += n


model = nn.Linear(4, 2).to("xla")
criterion = nn.MSELoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = DataLoader(torch.randn(64, 4), batch_size=8, drop_last=True)


def made_anew():
    losses = Meter()
    history = []
    for x in loader:
        loss = 0
        for view in (1, 2):
            loss += criterion(model(x.to("xla") * view), x.to("xla")[:, :2])
        loss /= 2
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.update(loss.item(), len(x))
        history.append(loss.item())
    print(f"{losses.val:.3f} {losses.sum / losses.count:.3f}", history)


def changed_behind():
    history = []
    for x in loader:
        loss = criterion(model(x.to("xla")), x.to("xla")[:, :2])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        history.append(loss.item())
        with torch.no_grad():
            loss *= 0.5
    print(history)


made_anew()
changed_behind()
