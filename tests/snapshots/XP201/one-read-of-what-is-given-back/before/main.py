import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(8, 4)
    def forward(self, x):
        return self.fc(x)

def evaluate(model, data):
    model.eval()
    outs = []
    for x, y in data:
        x, y = x.cuda(), y.cuda()
        out = model(x)
        outs += [out]
        print((out.argmax(1) == y).sum().item())
    return torch.cat(outs)

model = Net().cuda()
data = [(torch.randn(4, 8), torch.zeros(4)) for _ in range(100)]
print(evaluate(model, data).mean().item())
