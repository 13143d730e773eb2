import torch
from torch import nn
from torch.utils.data import DataLoader

device = torch.device("xla")
model = nn.Linear(4, 3).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = DataLoader(torch.zeros(8, 4), batch_size=2)

def train_step(batch):
    optimizer.zero_grad()
    loss = model(batch.to(device)).mean()
    loss.backward()
    optimizer.step()
    return loss.detach()


for epoch in range(3):
    losses = []
    total = torch.tensor([0.0], device=device)
    for i, x in enumerate(loader):
        loss = train_step(x)
        losses.append(loss)
        total += loss * len(x)
        if i % 10 == 0:
            print(f"{loss:.3f}")
    print(total.item() / len(loader), max(loss.item() for loss in losses))
train_step(torch.zeros(2, 4))
print(train_step(torch.zeros(2, 4)).item())
