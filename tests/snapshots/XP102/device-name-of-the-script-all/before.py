import torch
from torch import nn


def mask(lengths, longest):
    places = torch.arange(longest)
    if lengths.is_cuda:
        places = places.cuda()
    return places < lengths.unsqueeze(1)


def run(x):
    print(mask(x, 4).cuda().sum())


if __name__ == "__main__":
    device = torch.device("cuda")
    model = nn.Linear(4, 4).to(device)
    run(torch.ones(3, device=device))
