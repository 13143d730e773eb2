import torch
from torch import nn
from torch.utils.data import DataLoader

device = torch.device("cuda")
model = nn.Linear(4, 4).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
is_tpu = device.type == "xla"

for step, x in enumerate(DataLoader(torch.zeros(8, 4))):
    loss = model(x.to(device)).mean()
    if step % 100 == 0 and torch.isnan(loss):
        raise RuntimeError
    if step % 100 == 0:
        assert loss > 0
        if loss < 3:
            print(step)
    if is_tpu or torch.isinf(loss):
        print("?")
    loss.backward()
    optimizer.step()
    try:
        optimizer.zero_grad()
    except RuntimeError:
        assert loss > 0
