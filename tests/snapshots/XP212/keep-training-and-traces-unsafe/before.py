import torch
import torch_xla.debug.profiler as xp

model = torch.nn.Linear(4, 4).to("cuda")
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def train(loader):
    start = torch.cuda.Event(enable_timing=True)
    end = torch.cuda.Event(enable_timing=True)
    for x in loader:
        start.record()
        loss = model(x.to("cuda")).sum()
        end.record()
        loss.backward()
        optimizer.step()
        print(start.elapsed_time(end))


def traced(x):
    start = torch.cuda.Event(enable_timing=True)
    end = torch.cuda.Event(enable_timing=True)
    with xp.Trace("forward"):
        start.record()
        model(x)
        end.record()
    return start.elapsed_time(end)
