"""functools.partial of an optimizer is called before the model moves."""
from functools import partial
import torch
from torch import nn

with_rate = partial(torch.optim.SGD, lr=0.05, momentum=0.9)
model = nn.Sequential(nn.Linear(10, 20), nn.ReLU(), nn.Dropout(0.1), nn.Linear(20, 2))
updater = with_rate(model.parameters())  # wants: XP203
model.cuda()
data = torch.utils.data.TensorDataset(torch.randn(64, 10), torch.randint(2, (64,)))
loader = torch.utils.data.DataLoader(data, batch_size=16, drop_last=True)

for epoch in range(2):
    for x, y in loader:
        loss = nn.functional.cross_entropy(model(x.cuda()), y.cuda())
        updater.zero_grad()
        loss.backward()
        updater.step()
    print(epoch, loss.item())
