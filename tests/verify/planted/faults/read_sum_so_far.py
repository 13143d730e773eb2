# planted: host-read
# A sum on the device that is read in each step: the tensor's name is old, its value is that of this step.
import torch
import torch_xla
from torch import nn

device = torch_xla.device()
torch.manual_seed(0)
model = nn.Linear(8, 2).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
total = torch.zeros((), device=device)

for step in range(12):
    optimizer.zero_grad()
    loss = model(torch.randn(4, 8).to(device)).pow(2).mean()
    loss.backward()
    optimizer.step()
    total += loss.detach()
    torch_xla.sync()
    print(total.item())  # <- here
