import torch
from torch import nn
from torch.utils.data import DataLoader

device = torch.device("xla")
model = nn.Linear(4, 3).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = DataLoader(torch.zeros(8, 4), batch_size=2)


def train_step(batch):
    optimizer.zero_grad()
    out = model(batch.to(device))
    loss = out.mean()
    loss.backward()
    optimizer.step()
    return {"loss": loss.detach(), "hits": (out > 0).sum()}


total = torch.tensor([0.0], device=device)
hits = torch.tensor([0], device=device)
losses = []
for step, x in enumerate(loader):
    metrics = train_step(x)
    total += metrics["loss"] * len(x)
    hits += metrics["hits"]
    losses.append(metrics["loss"])
    if step % 10 == 0:
        print(f"{metrics['loss']:.3f}", metrics["hits"].item(), "loss" in metrics)
print(total.item() / len(loader), hits.item(), [value.item() for value in losses])
print(metrics["loss"].item())
