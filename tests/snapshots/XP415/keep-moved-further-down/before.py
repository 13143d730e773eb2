import torch
from torch import nn


def to_cuda(*args):
    return [x.cuda() for x in args]


def run(model, data, device):
    for batch in data:
        x, lengths = batch
        mask = torch.arange(8, device=lengths.device) < lengths
        assert mask.sum().item() == 3
        x = x.to(device)
        lengths = lengths.to(device)
        mask = mask.to(device)
        with torch.no_grad():
            print(model(x, lengths, mask).sum().item())
    for batch in data:
        x, mask = batch
        assert x.sum().item() == 3
        assert mask.sum().item() == 3
        x, mask = x.to(device), mask.to(device)
        with torch.no_grad():
            print(model(x, mask).sum().item())


model = nn.Linear(4, 4).cuda()
run(model, [torch.ones(2)], torch.device("cuda"))


def evaluate(model, data):
    for batch in data:
        x, lengths = batch
        mask = torch.arange(8, device=lengths.device) < lengths
        assert mask.sum().item() == 3
        x, mask, lengths = to_cuda(x, mask, lengths)
        with torch.no_grad():
            print(model(x, lengths, mask).sum().item())


evaluate(model, [torch.ones(2)])
