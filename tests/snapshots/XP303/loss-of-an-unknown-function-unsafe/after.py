import torch
from elsewhere import contrast
from torch import nn
from torch.utils.data import DataLoader

device = torch.device("cuda")
model = nn.Linear(4, 5).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
total = torch.tensor([0.0], device=device)
for step, x in enumerate(DataLoader(torch.rand(16, 4), batch_size=4, drop_last=True)):
    loss = contrast(model(x.to(device)).sigmoid())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    total += loss.detach()
    if step % 10 == 0:
        print(f"{total.item():.3f}")
