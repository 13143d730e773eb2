import torch
from torch import nn


class EMA:
    def __init__(self, params, decay):
        self.params = list(params)
        self.shadow = [p.detach().clone().cuda() for p in self.params]
        self.decay = decay

    def update(self):
        with torch.no_grad():
            for s, p in zip(self.shadow, self.params):
                s.mul_(self.decay).add_(p.detach(), alpha=1 - self.decay)


def main():
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 1))
    ema = EMA(model.parameters(), 0.9)
    model.cuda()
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for step in range(20):
        x = torch.randn(16, 8).cuda()
        loss = (model(x) - x.sum(1, keepdim=True)).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        ema.update()
    torch.save([s.cpu() for s in ema.shadow], "ema.pt")
    print(float(sum(s.sum() for s in ema.shadow)))


main()
