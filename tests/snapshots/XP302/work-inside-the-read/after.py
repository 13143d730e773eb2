import torch
import torch_xla

model = torch.nn.Linear(2, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=1)
total = 0.0
for x in torch.utils.data.DataLoader([]):
    out = model(x)
    d = out.abs().mean()
    batch_total = (out > 0).sum()
    out.mean().backward()
    optimizer.step()
    torch_xla.sync()
    d = d.item()
    total += batch_total.item()
    print(d)
