import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(59)
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
x_train, y_train = torch.randn(96, 8), torch.randint(0, 3, (96,))
train_dl = DataLoader(TensorDataset(x_train, y_train), batch_size=16, shuffle=True)
valid_dl = DataLoader(TensorDataset(torch.randn(32, 8), torch.randint(0, 3, (32,))), batch_size=32)
model = nn.Linear(8, 3).to(device)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
loss_func = nn.CrossEntropyLoss()


def loss_batch(xb, yb, optimize=True):
    loss = loss_func(model(xb.to(device)), yb.to(device))
    if optimize:
        loss.backward()
        opt.step()
        opt.zero_grad()
    return loss.item(), len(xb)


def fit(epochs):
    for epoch in range(epochs):
        model.train()
        for xb, yb in train_dl:
            loss_batch(xb, yb)
        model.eval()
        with torch.no_grad():
            losses, nums = zip(*[loss_batch(xb, yb, False) for xb, yb in valid_dl])
        print(epoch, f"{sum(a * b for a, b in zip(losses, nums)) / sum(nums):.4f}")


fit(4)
