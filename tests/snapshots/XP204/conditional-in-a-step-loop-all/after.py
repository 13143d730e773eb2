import torch
import torch_xla
import torch_xla.core.xla_model as xm

model = torch.nn.Linear(2, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=1)
for i, x in enumerate(torch.utils.data.DataLoader([])):
    model(x).sum().backward()
    optimizer.step()
    torch_xla.sync()
    if i % 100 == 0:
        xm.wait_device_ops()
