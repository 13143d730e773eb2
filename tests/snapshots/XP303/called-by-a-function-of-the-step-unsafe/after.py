import torch
from torch import nn
from torch.utils.data import DataLoader

device = torch.device("xla")
model = nn.Linear(4, 3).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = DataLoader(torch.zeros(8, 4), batch_size=2)


def train_iter(epoch, x):
    optimizer.zero_grad()
    loss = model(x.to(device)).mean()
    loss.backward()
    optimizer.step()
    loss_train, acc_train = test(x)
    loss_val, acc_val = test(x + 1)
    if epoch % 10 == 0:
        print(f"{loss_train:.4f} {acc_train:.4f} {loss_val:.4f}", acc_val.item())


def test(x):
    with torch.no_grad():
        out = model(x.to(device))
        loss = out.mean()
        acc = (out > 0).float().mean()
    return loss, acc


for epoch, x in enumerate(loader):
    train_iter(epoch, x)

loss_test, acc_test = test(torch.zeros(8, 4))
print(f"{loss_test:.4f}", round(acc_test.item(), 3))
