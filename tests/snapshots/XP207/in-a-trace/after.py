import torch
import torch_xla
import torch_xla.core.xla_model as xm
import torch_xla.debug.profiler as xp
import torch_xla.distributed.parallel_loader as pl

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
    print(loss.item())

for i, x in enumerate(loader):
    with xp.StepTrace("step", step_num=i):
        with xp.Trace("inner"):
            loss = model(x.to(device)).mean()
            loss.backward()
            optimizer.step()

for x in loader:
    with xp.Trace("step"):
        loss = model(x.to(device)).mean()
        loss.backward()
        xm.optimizer_step(optimizer, barrier=True)


@xp.trace_me("evaluate")
def evaluate(x):
    out = model(x)
    torch_xla.sync()
    return out


def train(loader):
    with xp.Trace("epoch"):
        for x in pl.MpDeviceLoader(loader, device):
            loss = model(x).mean()
            loss.backward()
            optimizer.step()
