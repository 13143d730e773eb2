import torch
from torch.utils.data import DataLoader, TensorDataset

device = torch.device("cuda")
model = torch.nn.Linear(4, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = DataLoader(TensorDataset(torch.zeros(8, 4), torch.zeros(8)), batch_size=4)
for i, (x, y) in enumerate(loader):
    x, y = x.to(device), y.to(device)
    loss = (model(x) - y).mean()
    loss.backward()
    optimizer.step()
    if i % 10 == 0:
        print(i * len(x), len(loader.dataset), loss.item())
