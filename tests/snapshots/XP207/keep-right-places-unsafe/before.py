import torch
import torch_xla
import torch_xla.core.xla_model as xm

device = torch_xla.device()
model = torch.nn.Linear(4, 1).to(device)
critic = torch.nn.Linear(1, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
critic_optimizer = torch.optim.SGD(critic.parameters(), lr=0.1)
loader = torch.utils.data.DataLoader(torch.zeros(8, 4))

# The only barrier of a pass: each pass is one graph, wherever it stands.
for x in loader:
    loss = model(x.to(device)).mean()
    loss.backward()
    torch_xla.sync()
    optimizer.step()

# One for each optimizer.
for x in loader:
    out = critic(model(x.to(device)).detach()).mean()
    out.backward()
    critic_optimizer.step()
    torch_xla.sync()
    loss = critic(model(x.to(device))).mean()
    loss.backward()
    optimizer.step()
    torch_xla.sync()

# The step needs a value in between.
for x in loader:
    loss = model(x.to(device)).mean()
    torch_xla.sync()
    if not torch.isfinite(loss):
        continue
    loss.backward()
    optimizer.step()
    torch_xla.sync()

# Now and then.
for i, x in enumerate(loader):
    loss = model(x.to(device)).mean()
    loss.backward()
    if i % 10 == 0:
        torch_xla.sync()
        print(loss)
    optimizer.step()
    torch_xla.sync()

# Gradient accumulation: what each batch needs in memory.
for i, x in enumerate(loader):
    loss = model(x.to(device)).mean() / 4
    loss.backward()
    torch_xla.sync()
    if (i + 1) % 4 == 0:
        optimizer.step()
        torch_xla.sync()

# The batches of one step, in a loop of their own.
for x in loader:
    for part in x.split(2):
        model(part.to(device)).mean().backward()
        torch_xla.sync()
    optimizer.step()
    torch_xla.sync()

# What is timed waits.
for x in loader:
    loss = model(x.to(device)).mean()
    torch_xla.sync()
    xm.wait_device_ops()
    loss.backward()
    optimizer.step()
    torch_xla.sync()

# At both ends.
for x in loader:
    torch_xla.sync()
    loss = model(x.to(device)).mean()
    loss.backward()
    optimizer.step()
    torch_xla.sync()
