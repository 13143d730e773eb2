import torch
import torch_xla
from torch import nn
from torch.utils.data import DataLoader


class Rater:
    def __init__(self, net, device):
        self.net = net.to(device)
        self.seen = torch.zeros(4, 1, device=device)
        self.spread = 1.0

    def rate(self, x, decay, follow=True):
        with torch.no_grad():
            rated = torch.sigmoid(self.net(x))
            rated = rated.log() - (1 - rated).log()

            if follow:
                self.seen = self.seen * decay + rated
                torch_xla.sync()
                self.spread += float(self.seen.cpu().numpy().var())
            else:
                torch_xla.sync()

            return rated / self.spread


device = torch.device("cuda")
rater = Rater(nn.Linear(8, 1), device)
rated = []
for x in DataLoader(torch.zeros(64, 8), batch_size=4):
    rated.append(rater.rate(x.to(device), 0.99))


def train(model, optimizer, loader, verbose):
    for x, y in loader:
        out = model(x.to(device))
        loss = nn.functional.cross_entropy(out, y.to(device))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if verbose:
            right = torch.eq(out.argmax(1), y.to(device)).float().mean()
            torch_xla.sync()
            print(right.item())
        else:
            torch_xla.sync()
