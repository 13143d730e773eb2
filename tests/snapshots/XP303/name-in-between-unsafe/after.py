import torch
from torch import nn
from torch.utils.data import DataLoader

device = torch.device("xla")
model = nn.Linear(4, 3).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = DataLoader(torch.zeros(8, 4), batch_size=2)

total = torch.tensor([0.0], device=device)
losses = []
counts = torch.tensor([0], device=device)
for i, x in enumerate(loader):
    out = model(x.to(device))
    loss = out.mean()
    loss.backward()
    optimizer.step()
    loss_value, hits = loss.detach(), (out > 0).sum()
    total += loss_value * len(x)
    losses.append(loss_value)
    counts += hits
    if i % 10 == 0:
        print(f"{loss_value:.4f} {hits}", loss_value.item())
print(total.item(), sum(loss_value.item() for loss_value in losses), counts.item(), loss_value.item())
