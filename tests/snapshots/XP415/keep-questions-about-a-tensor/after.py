import torch
from torch import nn


def train(loader):
    model = nn.Linear(4, 2).cuda()
    opt = torch.optim.Adam(model.parameters())
    for x in loader:
        x = x.cuda()
        # What kind of tensor it is, the host knows.
        x = x.detach().clone() if x.is_inference() else x
        if x.is_signed() and x.is_contiguous():
            x = x * 2
        opt.zero_grad()
        loss = model(x).mean()
        if loss.item() is None:
            raise ValueError("no loss")
        loss.backward()
        opt.step()
