# Each loss is read behind the barrier of the next step: the device has its work by then.
import torch
import torch_xla
from torch import nn

device = torch_xla.device()
torch.manual_seed(0)
model = nn.Linear(8, 2).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
late = None


# says: nothing waits for it
for step in range(20):
    optimizer.zero_grad()
    loss = model(torch.randn(4, 8).to(device)).pow(2).mean()
    loss.backward()
    optimizer.step()
    torch_xla.sync()
    if late is not None:
        print(late.item())
    late = loss.detach()
print(late.item())
