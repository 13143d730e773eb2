import torch
from accelerate import Accelerator
from torch import nn
from torch.utils.data import DataLoader

accelerator = Accelerator()
model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
model, optimizer, loader = accelerator.prepare(model, optimizer, DataLoader(torch.zeros(8, 4)))
test_loader = DataLoader(torch.zeros(8, 4))
for x in loader:
    loss = model(x).mean()
    accelerator.backward(loss)
    optimizer.step()
    accelerator.print(loss.item())
for x in test_loader:  # which nobody has prepared
    with torch.no_grad():
        model(x.to(accelerator.device))
