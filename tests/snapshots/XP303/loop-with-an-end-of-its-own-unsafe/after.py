import torch
from torch import nn
from torch.utils.data import DataLoader

device = torch.device("xla")
model = nn.Linear(4, 3).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = DataLoader(torch.zeros(8, 4), batch_size=2)

def evaluate(limit):
    total = torch.tensor([0.0], device=device)
    for i, x in enumerate(loader):
        if i < limit:
            with torch.no_grad():
                loss = model(x.to(device)).mean()
            total += loss
        else:
            break
    return total.item() / limit


print(evaluate(3))
