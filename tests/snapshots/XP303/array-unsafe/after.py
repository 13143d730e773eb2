import torch
from torch import nn
from torch.utils.data import DataLoader

device = torch.device("xla")
model = nn.Linear(4, 3).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = DataLoader(torch.zeros(8, 4), batch_size=2)

def estimate(iterations):
    out = {}
    for split in ("train", "val"):
        losses = torch.tensor([0.0], device=device)
        for k in range(iterations):
            with torch.no_grad():
                loss = model(torch.zeros(2, 4).to(device)).mean()
            losses += loss
        losses = torch.tensor(losses.item()) / iterations
        out[split] = losses.mean()
    return out


for x in loader:
    loss = model(x.to(device)).mean()
    loss.backward()
    optimizer.step()
print(estimate(4))
