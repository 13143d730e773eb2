import torch
import torch_xla

device = torch_xla.device()
model = torch.nn.Linear(4, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = torch.utils.data.DataLoader(torch.zeros(8, 4))

import sys
import time

last_time = time.time()
calls = 0


def as_text(seconds):
    return f"{seconds:.1f} s" if seconds > 1 else f"{seconds * 1000:.0f} ms"


def progress_bar(current, total, text=None):
    global last_time
    now = time.time()
    parts = [as_text(now - last_time)]
    last_time = now
    if text:
        parts.append(text)
    sys.stdout.write(" | ".join(parts))
    for i in range(10):
        sys.stdout.write("=")
    sys.stdout.flush()


def report(loss, step):
    print(f"{step}: {loss.item():.3f}")


def counted(loss):
    global calls
    calls += 1
    print(loss.item())


def kept(loss, losses):
    losses.append(loss.item())
    print(losses[-1])


losses = []
for step, x in enumerate(loader):
    loss = model(x.to(device)).mean()
    loss.backward()
    optimizer.step()
    torch_xla.sync()
    progress_bar(step, len(loader), "%.3f" % loss.item())
    report(loss, step)
for x in loader:
    loss = model(x.to(device)).mean()
    loss.backward()
    optimizer.step()
    torch_xla.sync()
    counted(loss)
for x in loader:
    loss = model(x.to(device)).mean()
    loss.backward()
    optimizer.step()
    torch_xla.sync()
    kept(loss, losses)


def how_often():
    return calls
