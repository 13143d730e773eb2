import time

import torch
import torch_xla
import torch_xla.core.xla_model as xm

device = torch_xla.device()
model = torch.nn.Linear(4, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = torch.utils.data.DataLoader(torch.zeros(8, 4))

# Waits by itself.
start = time.time()
for x in loader:
    loss = model(x.to(device)).mean()
    loss.backward()
    optimizer.step()
    torch_xla.sync()
xm.wait_device_ops()
print("epoch:", time.time() - start)

# CUDA's own wait, which becomes one of XLA's.
start = time.time()
out = model(torch.zeros(1, 4, device=device))
torch.cuda.synchronize()
print("one batch:", time.time() - start)

# A read waits.
start = time.time()
total = 0.0
for x in loader:
    loss = model(x.to(device)).mean()
    loss.backward()
    optimizer.step()
    torch_xla.sync()
    total += loss.item()
print("epoch:", time.time() - start, total)

# A read in the statement itself.
start = time.time()
out = model(torch.zeros(1, 4, device=device)).sum()
torch_xla.sync()
print(out.item(), time.time() - start)

# A read in each pass.
end = time.time()
for x in loader:
    loss = model(x.to(device)).mean()
    loss.backward()
    optimizer.step()
    torch_xla.sync()
    print(loss.item())
    print("batch", time.time() - end)
    end = time.time()

# A read before the clock, both now and then.
t0 = time.time()
for i, x in enumerate(loader):
    loss = model(x.to(device)).mean()
    loss.backward()
    optimizer.step()
    torch_xla.sync()
    if i % 100 == 0:
        print(loss.item())
        print("per 100:", time.time() - t0)
        t0 = time.time()


def now():
    if torch.cuda.is_available():
        torch.cuda.synchronize()
    return time.time()


# A function that waits.
start = time.time()
for x in loader:
    before = now()
    loss = model(x.to(device)).mean()
    loss.backward()
    optimizer.step()
    torch_xla.sync()
print("epoch:", time.time() - start)


def answer(model, tokenizer, prompt):
    model.eval()
    begin = time.time()
    with torch.no_grad():
        tokens = model.generate(prompt)
    text = tokenizer.decode(tokens[0])
    print(time.time() - begin)
    return text


def validate(model, criterion, batches, stats):
    model.eval()
    criterion.eval()
    begin = time.time()
    with torch.no_grad():
        for x in batches:
            # Whatever the criterion gives beside the loss, it may have read it.
            loss, more = criterion(model(x.to(device)))
            stats.update(more)
    print(time.time() - begin)


class Meter:
    def __init__(self):
        self.sum, self.count = 0.0, 0

    def update(self, value):
        self.sum += value
        self.count += 1


# The mean of all passes is right, since a read now and then waits for what the passes before have left.
batch_time = Meter()
end = time.time()
for i, x in enumerate(loader):
    loss = model(x.to(device)).mean()
    loss.backward()
    optimizer.step()
    torch_xla.sync()
    batch_time.update(time.time() - end)
    end = time.time()
    if i % 100 == 0:
        print(loss.item(), batch_time.sum / batch_time.count)

losses = Meter()
end = time.time()
for i, x in enumerate(loader):
    loss = model(x.to(device)).mean()
    loss.backward()
    optimizer.step()
    torch_xla.sync()
    losses.update(loss.detach())
    batch_time.update(time.time() - end)
    end = time.time()
    if i % 100 == 0:
        print(losses.sum, batch_time.sum / batch_time.count)
