import torch
import torch_xla

device = torch_xla.device()
model = torch.nn.Linear(4, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = torch.utils.data.DataLoader(torch.zeros(8, 4))

import csv

import mlflow
import sys

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

# The program ends behind it.
for x in loader:
    loss = model(x.to(device)).mean()
    loss.backward()
    optimizer.step()
    torch_xla.sync()
    if x.sum() > 3:
        print("stop", loss.item())
        sys.exit(1)
for x in loader:
    loss = model(x.to(device)).mean()
    loss.backward()
    optimizer.step()
    torch_xla.sync()
    if x.sum() > 3:
        print("stop", loss.item())
        raise ValueError

# The file is closed by then.
with open("log.txt", "w") as file:
    for x in loader:
        loss = model(x.to(device)).mean()
        loss.backward()
        optimizer.step()
        torch_xla.sync()
        file.write(f"{loss.item()}\n")
        print(loss.item(), file=file)
log = open("log.csv", "w")
rows = csv.writer(log)
for x in loader:
    loss = model(x.to(device)).mean()
    loss.backward()
    optimizer.step()
    torch_xla.sync()
    rows.writerow([loss.item()])
log.close()

# Another run is open by then.
with mlflow.start_run():
    for step, x in enumerate(loader):
        loss = model(x.to(device)).mean()
        loss.backward()
        optimizer.step()
        torch_xla.sync()
        mlflow.log_metric("loss", loss.item(), step)
