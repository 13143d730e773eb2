import torch
from torch import nn
from torch.utils.data import DataLoader

device = torch.device("xla")
model = nn.Linear(4, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = DataLoader(torch.zeros(8, 4), batch_size=2)

scaler = torch.amp.GradScaler("cuda", enabled=False)


def train(args):
    penalties = torch.tensor([0.0], device=device)
    totals = torch.tensor([0.0], device=device)
    for x in loader:
        out = model(x.to(device))
        penalty = args.weight * out.pow(2).mean()
        loss = out.mean() + penalty
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        penalties += penalty.detach()
        totals += loss.detach().float() + penalty.detach().float()
    print(penalties.item(), totals.item())
