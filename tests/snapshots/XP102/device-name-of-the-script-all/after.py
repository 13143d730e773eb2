import torch
import torch_xla
from torch import nn


def mask(lengths, longest):
    places = torch.arange(longest)
    if lengths.is_xla:
        places = places.to(torch_xla.device())
    return places < lengths.unsqueeze(1)


def run(x):
    print(mask(x, 4).to(torch_xla.device()).sum())


if __name__ == "__main__":
    device = torch_xla.device()
    model = nn.Linear(4, 4).to(device)
    run(torch.ones(3, device=device))
