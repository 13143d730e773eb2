import torch
from torch import nn


def used(codes):
    rows = [each.flatten() for each in codes]
    return torch.cat(rows).unique().numel()


def used_of_several(codes, other_codes):
    rows = [each.flatten() for each in codes]
    others = [each.flatten() for each in other_codes]
    return torch.unique(torch.cat([torch.cat(rows), torch.cat(others)])).numel()


def used_on(codes, device):
    rows = [each.flatten().to(device) for each in codes]
    return torch.cat(rows).unique().numel()


model = nn.Linear(4, 4).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for batch in torch.utils.data.DataLoader(torch.zeros(64, 4), batch_size=8):
    x = model(batch.cuda())
    codes = [x.argmax(1), x.argmin(1)]
    number = used(codes) + used_of_several(codes, codes) + used_on(codes, x.device)
    loss = x.sum() * number
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
