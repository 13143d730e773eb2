import torch
from torch import nn

device = torch.device("cuda")
model = nn.Linear(4, 4).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def step(x, best, margin: torch.Tensor, queries):
    chosen = (margin > 0.0).nonzero().flatten()
    if len(chosen) == 0:
        return
    x_now, best_now = x[chosen], best[chosen]
    margin_now = margin[chosen]
    new = best_now + model(x_now)
    better = (new.mean(1) < margin_now).float()
    margin[chosen] = better * new.mean(1) + (1 - better) * margin_now
    best[chosen] = new
    queries[chosen] += 1.0


for batch in torch.utils.data.DataLoader([torch.zeros(4)] * 64, batch_size=8):
    x = batch.to(device)
    best, margin, queries = x * 1, x.sum(1), torch.zeros(8, device=device)
    step(x, best, margin, queries)
    loss = model(x).sum()
    wrong = margin <= 0.0
    failed = wrong.nonzero().squeeze()
    wrong.fill_(False)
    best[failed] = x[failed] * 2
    rows = (x > 0).nonzero()
    x[rows] = 1.0
    print(len(failed), queries[failed].mean())
    kept = x.sum(1).isnan()
    best[kept.nonzero().squeeze()] = x[kept.nonzero().squeeze()] + 1
    places = torch.where(best.sum(1) > 0)[0]
    best[places, :2] = queries[places, None]
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
