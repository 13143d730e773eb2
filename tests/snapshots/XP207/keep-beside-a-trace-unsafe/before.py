import torch
import torch_xla
import torch_xla.debug.profiler as xp

device = torch_xla.device()
model = torch.nn.Linear(4, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = torch.utils.data.DataLoader(torch.zeros(8, 4))

for x in loader:
    with xp.Trace("step"):
        loss = model(x.to(device)).mean()
        loss.backward()
        optimizer.step()
    torch_xla.sync()

for x in loader:
    with xp.Trace("step"):
        loss = model(x.to(device)).mean()
        loss.backward()
        optimizer.step()
        torch_xla.sync(reset_scope=False)


class Trace:
    def __enter__(self):
        return self

    def __exit__(self, *error):
        pass


for x in loader:
    with Trace():
        loss = model(x.to(device)).mean()
        loss.backward()
        optimizer.step()
        torch_xla.sync()
