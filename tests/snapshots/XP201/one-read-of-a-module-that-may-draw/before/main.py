import torch
from torch import nn

class Net(nn.Module):
    def __init__(self, kind):
        super().__init__()
        self.fc = nn.Linear(8, 4)
        if kind == "plain":
            self.sample = nn.Identity()
        else:
            self.sample = noise
    def forward(self, x):
        return self.sample(self.fc(x))

def noise(x):
    return x + torch.randn_like(x)

def evaluate(model, data):
    model.eval()
    for x, y in data:
        x, y = x.cuda(), y.cuda()
        out = model(x)
        print((out.argmax(1) == y).sum().item())

model = Net("noisy").cuda()
data = [(torch.randn(4, 8), torch.zeros(4)) for _ in range(100)]
evaluate(model, data)
