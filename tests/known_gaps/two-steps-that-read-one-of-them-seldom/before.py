import torch
from torch import nn
from torch.utils.data import DataLoader

dl = DataLoader(torch.randn(32, 4), batch_size=4, drop_last=True)


class GAN:
    def __init__(self):
        self.g, self.d = nn.Linear(2, 4).cuda(), nn.Linear(4, 1).cuda()
        self.og, self.od = torch.optim.Adam(self.g.parameters()), torch.optim.Adam(self.d.parameters())

    def d_step(self, x):
        l = self.d(x).mean()
        l.backward()
        self.od.step()
        return l.item()

    def g_step(self, x):
        l = self.g(x[:, :2]).mean()
        l.backward()
        self.og.step()
        return l.item()

    def train(self, dl):
        for i, x in enumerate(dl):
            x = x.cuda()
            d = self.d_step(x)
            if i % 5 == 0:
                g = self.g_step(x)
            print(d, g)


GAN().train(dl)
