import torch
from torch import nn
from torch.utils.data import DataLoader

device = torch.device("cuda")
model = nn.Linear(4, 4).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
table = torch.rand(10, 4, device=device)
best = table[table.sum(1).argmax()]

for step, x in enumerate(DataLoader(torch.zeros(8, 4))):
    out = model(x.to(device))
    places = out.argmax(1)
    rows = table[places]
    first = out[0] + out[-1] + out[: x.size(0)].sum() + out[x.shape[0] - 1]
    chosen = table[out.sum(1).argmax(keepdim=True)]
    kept = out[out > 0.5].sum() if step % 100 == 0 else 0
    listed = [1, 2, 3][x.size(0) % 3]
    if step % 100 == 0:
        print(table[out.sum(1).argmax()])
    (out.sum() + rows.sum() + first.sum() + chosen.sum()).backward()
    optimizer.step()
