import torch
import torch_xla
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, TensorDataset

device = torch_xla.device()
model = nn.Linear(4, 3).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = DataLoader(TensorDataset(torch.zeros(8, 4), torch.zeros(8).long()), batch_size=4)
for x, y in loader:
    loss = F.cross_entropy(model(x.to(device)), y.to(device))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(x.numpy())


def train():
    for batch in loader:
        loss = F.cross_entropy(model(batch[0].to(device)), batch[1].to(device))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return batch[0].numpy()
