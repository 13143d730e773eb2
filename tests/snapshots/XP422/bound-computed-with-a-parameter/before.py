import torch
from torch import nn


class Encoder(nn.Module):
    def __init__(self, kept):
        super().__init__()
        self.layer = nn.Linear(8, 8)
        self.kept = kept

    def order(self, x, mask, shape=None):
        if shape is None:
            batch, length, width = x.shape
        else:
            batch, length, width = shape
        places = mask.argsort(dim=1)
        count = length - mask[0].sum()
        if self.kept > 0:
            count += round((length - int(count)) * self.kept)
        return places[:, :count]

    def forward(self, x, shape=None):
        x = self.layer(x)
        mask = (torch.rand(x.shape[0], x.shape[1], device=x.device) > 0.5).int()
        return torch.gather(x[..., 0], 1, self.order(x, mask, shape))


def train(loader, options):
    model = Encoder(options.kept).to("xla")
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x in loader:
        loss = model(x.to("xla"), options.shape).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
