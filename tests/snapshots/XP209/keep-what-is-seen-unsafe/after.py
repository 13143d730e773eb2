import sys

import torch
import torch_xla

device = torch_xla.device()
model = torch.nn.Linear(4, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = torch.utils.data.DataLoader(torch.zeros(8, 4))

# The barrier is in the try.
for x in loader:
    try:
        loss = model(x.to(device)).mean()
        loss.backward()
        optimizer.step()
        torch_xla.sync()
    except RuntimeError as error:
        print("skipped", error)

# The whole loop is in the try.
try:
    for x in loader:
        loss = model(x.to(device)).mean()
        loss.backward()
        optimizer.step()
        torch_xla.sync()
except Exception as error:
    print("ended", error)

# A read is in the try.
for x in loader:
    try:
        loss = model(x.to(device)).mean()
        loss.backward()
        optimizer.step()
        print(loss.item())
    except RuntimeError as error:
        print("skipped", error)
    torch_xla.sync()

# Other errors, of the host.
for x in loader:
    try:
        loss = model(x.to(device)).mean()
        loss.backward()
        optimizer.step()
    except (KeyboardInterrupt, ValueError):
        print("skipped")
    torch_xla.sync()

# What the handler passes on ends the program in the one place as in the other.
for x in loader:
    try:
        loss = model(x.to(device)).mean()
        loss.backward()
        optimizer.step()
    except RuntimeError as error:
        print("failed", error)
        raise
    except Exception:
        sys.exit(1)
    torch_xla.sync()

# No work of the device.
for path in ["a", "b"]:
    try:
        x = torch.load(path, map_location="cpu")
    except RuntimeError:
        continue
    model(x.to(device)).mean().backward()
    optimizer.step()
    torch_xla.sync()

# Not in a step: there is nothing to go on with.
try:
    model(torch.zeros(1, 4, device=device))
except RuntimeError as error:
    print(error)
