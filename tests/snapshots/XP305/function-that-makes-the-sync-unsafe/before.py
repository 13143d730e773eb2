import time

import torch
import torch_xla

device = torch_xla.device()
model = torch.nn.Linear(4, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = torch.utils.data.DataLoader(torch.zeros(8, 4))

from torch.utils.tensorboard import SummaryWriter


def evaluate(x):
    with torch.no_grad():
        out = model(x)
    return out.mean(), (out > 0).float().sum()


def train_iter(epoch, x, print_every=10):
    start = time.time()
    optimizer.zero_grad()
    loss = model(x).mean()
    loss.backward()
    optimizer.step()
    loss_val, hits = evaluate(x)
    torch_xla.sync()

    if epoch % print_every == 0:
        print(f"{epoch:04d} ({(time.time() - start):.4f}s) loss {loss:.4f} val {loss_val:.4f} hits {hits:.4f}")


x = torch.zeros(8, 4).to(device)
for epoch in range(40):
    train_iter(epoch + 1, x)


# A way out in between, a name that is given anew, a value that is changed further on.
def with_ways_out(step, x, total):
    scale = 1
    loss = model(x).mean()
    loss.backward()
    optimizer.step()
    torch_xla.sync()
    if step < 3:
        return
    scale = scale + step
    print(scale, loss.item(), total.item())


total = torch.zeros(1, device=device)
for step, x in enumerate(loader):
    total += 1
    with_ways_out(step, x.to(device), total)


class Trainer:
    def __init__(self):
        self.writer = SummaryWriter()
        self.step = 0

    def train_step(self, x):
        loss = model(x).mean()
        loss.backward()
        optimizer.step()
        torch_xla.sync()
        self.writer.add_scalar("loss", loss.item(), self.step)
        self.step += 1

    def train(self):
        for x in loader:
            self.train_step(x.to(device))


Trainer().train()
