import torch
import torch_xla

device = torch_xla.device()
model = torch.nn.Linear(4, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = torch.utils.data.DataLoader(torch.zeros(8, 4))

# Left before the barrier.
for x in loader:
    loss = model(x.to(device)).mean()
    print(loss.item())
    if loss.shape[0] > 3:
        break
    loss.backward()
    optimizer.step()
    torch_xla.sync()

# No barrier.
for x in loader:
    loss = model(x.to(device)).mean()
    loss.backward()
    optimizer.step()
    print(loss.item())

# The barrier is not passed each time.
for i, x in enumerate(loader):
    loss = model(x.to(device)).mean()
    loss.backward()
    optimizer.step()
    if i % 10 == 0:
        torch_xla.sync()
    print(loss.item())
