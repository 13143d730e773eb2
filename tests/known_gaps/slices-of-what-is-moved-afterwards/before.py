import argparse

import torch
from torch import nn


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--batch", type=int, default=16)
    parser.add_argument("--kept-on", default="cuda")
    args = parser.parse_args()
    device, kept_on = torch.device("cuda"), torch.device(args.kept_on)
    features, labels = torch.randn(60, 8, device=kept_on), torch.randint(0, 4, (60,), device=kept_on)
    head = nn.Linear(8, 4).to(device)
    optimizer = torch.optim.SGD(head.parameters(), lr=0.1)
    for epoch in range(2):
        order = torch.randperm(features.shape[0], device=kept_on)
        for start in range(0, order.shape[0], args.batch):
            chosen = order[start : start + args.batch]
            loss = nn.functional.cross_entropy(head(features[chosen].to(device)), labels[chosen].to(device))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        print(loss.item())


main()
