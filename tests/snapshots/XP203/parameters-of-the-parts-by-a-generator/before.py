import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.backbone = nn.Linear(4, 4)
        self.head = nn.Linear(4, 2)

    def forward(self, x):
        return self.head(self.backbone(x))

    def slow(self):
        modules = [self.backbone]
        for i in range(len(modules)):
            for m in modules[i].named_modules():
                if isinstance(m[1], nn.Linear):
                    for p in m[1].parameters():
                        if p.requires_grad:
                            yield p


class Trainer:
    def __init__(self):
        model = Net()
        groups = [{"params": model.slow(), "lr": 0.1}]
        optimizer = torch.optim.SGD(groups, lr=0.1)
        self.model, self.optimizer = model, optimizer
        self.model = self.model.cuda()

    def train(self):
        for x in torch.utils.data.DataLoader(torch.rand(8, 4), batch_size=4, drop_last=True):
            self.optimizer.zero_grad()
            self.model(x.cuda()).sum().backward()
            self.optimizer.step()


Trainer().train()
