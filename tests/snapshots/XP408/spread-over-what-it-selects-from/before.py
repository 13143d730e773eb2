import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.l = nn.Linear(8, 8)

    def forward(self, mode, **kwargs):
        if mode == 'fwd':
            return self.fwd(**kwargs)
        return self.predict(**kwargs)

    def fwd(self, x):
        return self.l(x)

    def predict(self, tensor, mask, y):
        picked = tensor[mask.unsqueeze(-1).expand_as(tensor)].view(-1, 8)
        return picked, nn.functional.cross_entropy(picked, y)


class Trainer:
    def __init__(self, model):
        self.model = model
        self.stats = {'a': []}
        self.optimizers = {'model': torch.optim.SGD(model.parameters(), lr=0.1)}

    def optimize(self, loss):
        if (loss != loss).data.any():
            print("NaN detected")
        for o in self.optimizers.values():
            o.zero_grad()
        loss.backward()
        for o in self.optimizers.values():
            o.step()

    def step(self, x, mask, y, coeff):
        model = self.model
        tensor = model('fwd', x=x.cuda())
        _, loss = model('predict', tensor=tensor, mask=mask.cuda(), y=y.cuda())
        self.stats[('M-%s' % coeff) if coeff else 'a'].append(loss.item())
        loss = coeff * loss
        self.optimize(loss)


trainer = Trainer(Net().cuda())
for i in range(10):
    mask = torch.rand(4) > 0.5
    trainer.step(torch.randn(4, 8), mask, torch.zeros(int(mask.sum()), dtype=torch.long), 1.0)
