import torch
from torch import nn
from torch.utils.data import DataLoader

device = torch.device("xla")
model = nn.Linear(4, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = DataLoader(torch.zeros(8, 4), batch_size=2)


def train(plot):
    losses = []
    counts = list()
    for epoch in range(2):
        for i, x in enumerate(loader):
            loss = model(x.to(device)).mean()
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
            counts.append(int((x.to(device) > 0).sum()))
            if i % 100 == 0:
                print(f"step {len(losses)}: {losses[-1]:.3f} {losses[i]:.3f}, {{losses[-1]}}", losses[-2], sum(counts))
    if losses:
        plot(losses)
    print(sum(losses) / len(losses))
    return losses, max(counts)
