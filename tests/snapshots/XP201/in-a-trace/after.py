import torch
import torch_xla
import torch_xla.debug.profiler as xp

model = torch.nn.Linear(4, 1).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = torch.utils.data.DataLoader(torch.zeros(8, 4))

for x in loader:
    with xp.Trace("step"):
        loss = model(x.cuda()).mean()
        loss.backward()
        optimizer.step()
        print(loss.item())
    torch_xla.sync()

for x in loader:
    with torch.cuda.nvtx.range("step"):
        loss = model(x.cuda()).mean()
        loss.backward()
        if loss > 1:
            continue
        optimizer.step()
    torch_xla.sync()

with xp.Trace("epoch"):
    for x in loader:
        loss = model(x.cuda()).mean()
        loss.backward()
        optimizer.step()
