import torch
from torch import nn

device = torch.device("cuda")
model = nn.Linear(4, 4).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
rescale, land = False, True
for batch in torch.randn(100, 8, 4, device=device):
    x = model(batch)
    bad = torch.isnan(x)
    # where it was rescaled, nothing is filled
    if rescale:
        x = x * 2
    elif bad.any():
        x = x.masked_fill(bad, 0.0)
    if (
        land  # and sea
        and bad.any()
    ):
        x = x.masked_fill(bad, 0.0)
    # drawn anew
    if (torch.rand_like(x) > 0.5).any():
        x = x.masked_fill(torch.rand_like(x) > 0.5, 0.0)
    # floats, where there were integers
    places = (x * 10).long()
    large = places > 5
    if large.any():
        places = torch.where(large, 0.5, places)
    loss = x.sum() + places.sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
