import torch
from torch import nn
from torch.utils.data import DataLoader

device = torch.device("xla")
model = nn.Linear(4, 3).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = DataLoader(torch.zeros(8, 4), batch_size=2)

smooth, average, worst, best = None, 0.0, 0.0, float("inf")
for i, x in enumerate(loader):
    loss = model(x.to(device)).mean()
    loss.backward()
    optimizer.step()
    value = loss.detach()
    smooth = value if smooth is None else 0.9 * smooth + 0.1 * value
    average = average * 0.9 + loss.detach() * 0.1
    worst = value.clamp(min=worst)
    best = (2 * loss.detach() + 1).clamp(max=best)
    if i % 10 == 0:
        print(f"{smooth:.4f}", "%.3f" % average, float(worst))
print(None if smooth is None else smooth.item(), float(average), round(float(worst), 3), float(best))
summary = {"smooth": None if smooth is None else smooth.item()}
