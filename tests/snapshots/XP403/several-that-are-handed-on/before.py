import torch
from torch import nn

device = torch.device("cuda")
cell = nn.LSTMCell(4, 4).to(device)
end = 0.5


@torch.no_grad()
def generate(token, limit):
    h = c = torch.zeros(8, 4, device=device)
    tokens = [token]
    for n in range(limit):
        h, c = cell(token, (h, c))
        token = token + h * 2
        tokens.append(token)
        if (token > end).all():
            break
    return torch.stack(tokens), c


@torch.no_grad()
def relax(x, limit):
    step = torch.ones(8, device=device)
    for n in range(limit):
        y = cell(x)[0]  # of each pass alone
        x = x + y * step
        if (x > end).all():
            break
    return x


@torch.no_grad()
def narrow(low, high):
    while (high - low).max() > 0.1:
        middle = (low + high) / 2
        low = torch.where(middle < end, middle, low)
        high = torch.where(middle < end, high, middle)
    return low


for x in torch.utils.data.DataLoader(torch.zeros(64, 4), batch_size=8):
    print(generate(x.to(device), 99), relax(x.to(device), 99), narrow(x.to(device), x.to(device) + 1))
