import torch
from torch import nn

device = torch.device("cuda")
model = nn.Linear(4, 4).to(device)


@torch.no_grad()
def run(loader):
    for batch in loader:
        x = model(batch.to(device))
        starts = (
            (x[1:] == 0.0)
            .any(dim=-1)
            .nonzero()
            .squeeze()
            .cpu()
        )
        pairs = torch.where(x > 0.5)
        if pairs[0].shape[0]:
            print(torch.stack(pairs, 1).cpu().numpy(), starts)
        for place in (x.sum(1) > 0).nonzero():
            print(x[place].item())
        mixed = torch.where(x > 0.75)
        print(mixed[0].cpu(), x[mixed[1]].sum())
