import torch
from torch import nn

import average


def main(averaging=True):
    device = "cuda"
    net = nn.Linear(2, 2).to(device)
    if averaging:
        mean = nn.Linear(2, 2).to(device)
        kept = average.Average(net, mean, 0.99)
        print(kept.decay)
    optimizer = torch.optim.Adam(net.parameters(), lr=0.1)
    return optimizer


main()
