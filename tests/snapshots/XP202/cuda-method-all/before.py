import torch
from torch.utils.data import DataLoader, TensorDataset

model = torch.nn.Linear(4, 1).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = DataLoader(TensorDataset(torch.zeros(8, 4), torch.zeros(8)), batch_size=4)
for x, y in loader:
    x, y = x.cuda(), y.cuda(non_blocking=True)
    loss = (model(x) - y).mean()
    loss.backward()
    optimizer.step()
