import time

import torch
import torch_xla

device = torch_xla.device()
model = torch.nn.Linear(4, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

# The loading of data.
start = time.time()
data = torch.load("data.pt", map_location="cpu")
print("loaded in", time.time() - start)

# A limit, and the time so far.
begin = time.time()
for x in torch.utils.data.DataLoader(data):
    loss = model(x.to(device)).mean()
    loss.backward()
    optimizer.step()
    torch_xla.sync()
    if time.time() - begin > 3600:
        break
    print("so far", time.time() - begin)

# The time to get a batch.
end = time.time()
for x in torch.utils.data.DataLoader(data):
    waited = time.time() - end
    loss = model(x.to(device)).mean()
    loss.backward()
    optimizer.step()
    torch_xla.sync()
    print(waited)
    end = time.time()


def train(log):
    start = time.time()
    for x in torch.utils.data.DataLoader(data):
        loss = model(x.to(device)).mean()
        loss.backward()
        optimizer.step()
        torch_xla.sync()
        log(loss)  # which may wait
    return time.time() - start
