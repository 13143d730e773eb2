import torch
from torch import nn
from torch.utils.data import DataLoader


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(16, 8)
        self.norm = nn.BatchNorm1d(8)
        self.dropout = nn.Dropout(0.3)

    def forward(self, x):
        return self.dropout(self.norm(self.layer(x)))


def count(model, loader):
    correct = 0
    for x, y in loader:
        x, y = x.cuda(), y.cuda()
        model = model.eval()
        output = model(x)
        guess = output.data.max(1)[1]
        correct += guess.eq(y.data).cpu().sum()
    return correct


def beside_targets(model, loader):
    model.eval()
    for x, y in loader:
        x, y = x.cuda(), y.cuda()
        output = model(x)
        guess = output.data.max(1)[1].cpu().numpy()
        print((guess == y.cpu().numpy()).mean())


def before_training(model, loader, optimizer):
    model.eval()
    for x, y in loader:
        output = model(x.cuda())
        print(output.data.max(1)[1].cpu())
    model.train()
    for x, y in loader:
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(x.cuda()), y.cuda())
        loss.backward()
        optimizer.step()


def in_training_mode(model, loader):
    for x, y in loader:
        output = model(x.cuda())
        print(output.data.max(1)[1].cpu())


loader = DataLoader(list(zip(torch.randn(64, 16), torch.randint(8, (64,)))), batch_size=8)
net = Net()
net = net.cuda()
adam = torch.optim.Adam(net.parameters())
print(count(net, loader))
beside_targets(net, loader)
before_training(net, loader, adam)
in_training_mode(net, loader)
