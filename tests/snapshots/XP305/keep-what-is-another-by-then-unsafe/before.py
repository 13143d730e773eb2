import torch
import torch_xla

device = torch_xla.device()
model = torch.nn.Linear(4, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = torch.utils.data.DataLoader(torch.zeros(8, 4))
total = torch.zeros((), device=device)
history = []

# Added to in place by the next pass.
for x in loader:
    loss = model(x.to(device)).mean()
    loss.backward()
    optimizer.step()
    total += loss.detach()
    torch_xla.sync()
    print(total.item())

# A parameter, which the next step changes.
for x in loader:
    loss = model(x.to(device)).mean()
    loss.backward()
    optimizer.step()
    torch_xla.sync()
    print(model.bias.item())

# A list that grows.
for x in loader:
    loss = model(x.to(device)).mean()
    loss.backward()
    optimizer.step()
    history.append(1)
    torch_xla.sync()
    print(history, loss.item())

# Changed in place at the top of the next pass.
loss = torch.zeros((), device=device)
for x in loader:
    loss.zero_()
    loss = model(x.to(device)).mean()
    loss.backward()
    optimizer.step()
    torch_xla.sync()
    print(loss.item())

# Saved beside it.
for step, x in enumerate(loader):
    loss = model(x.to(device)).mean()
    loss.backward()
    optimizer.step()
    torch_xla.sync()
    if step % 10 == 0:
        print(loss.item())
        torch.save(model.state_dict(), "model.pt")
