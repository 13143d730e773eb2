import torch
from torch import nn
from torch.utils.data import DataLoader

device = torch.device("xla")
model = nn.Linear(4, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = DataLoader(torch.zeros(8, 4), batch_size=2)

for epoch in range(2):
    running_loss = torch.tensor([0.0], device=device)
    for i, x in enumerate(loader):
        loss = model(x.to(device)).mean()
        loss.backward()
        optimizer.step()
        running_loss += loss.detach()
        if i % 100 == 99:
            print(f"[{epoch}, {i + 1}] running_loss: {running_loss.item() / 100:.3f}, {{running_loss}}, {running_loss.item():{10}.{3}f}")
            running_loss = torch.tensor([0.0], device=device)
