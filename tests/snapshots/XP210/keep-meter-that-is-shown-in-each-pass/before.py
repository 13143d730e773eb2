import time

import torch
from data import dataset
from torch.utils.data import DataLoader


class Meter:
    def __init__(self):
        self.total = 0
        self.count = 0

    def update(self, value):
        self.total += value
        self.count += 1
        self.avg = self.total / self.count


model = torch.nn.Linear(8, 1).to("xla")
optimizer = torch.optim.Adam(model.parameters())
losses, spans = Meter(), Meter()
end = time.time()
for x in DataLoader(dataset, batch_size=8):
    loss = model(x.to("xla")).pow(2).mean()
    losses.update(loss.detach())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    span = time.time() - end
    end = time.time()
    print("{:.3f}s, loss {loss:.4f}".format(span, loss=losses.avg))
