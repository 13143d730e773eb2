import torch
from torch import nn

device = torch.device("cuda")
model = nn.Linear(4, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

rows = torch.zeros(64, 4, device=device)

for step in range(64):
    out = model(rows)
    rows[step].copy_(out[0])
    rows[step].copy_(out[0], non_blocking=True)
    rows[step].zero_()
    rows[step].fill_(0.5)
    rows[step].add_(out[0])
    rows[step][0] = 1
    rows[step : step + 2].copy_(out[:2])
    rows[:step].zero_()
    rows.narrow(0, step, 2).fill_(1)
    rows.narrow(0, step, 64 - step).fill_(1)
    torch.add(out[0], 1, out=rows[step])
    nn.init.normal_(rows[step])
    row = rows[step]
    row += 1
    loss = out.sum() + rows[step].clone().add_(1).sum()
    loss.backward()
    optimizer.step()

for step in range(64):
    mask = rows[step] > 0
    row = rows[step]
    other = rows[step]
    out = model(rows).masked_fill_(mask, 0)
    out = out.index_fill_(0, row.long(), 0).copy_(other)
    row = out[0]
    row.add_(1)
    nn.init.uniform_(out, rows[step])
    window = rows[step - 2 : step]
    end = step + 3
    after = rows[step:end]
    loss = (row + other).sum() + window.mean(1).sum() + after.sum() + rows[step:loss].sum()
    loss.backward()
    optimizer.step()
