"""The function that is handed in counts on the host."""
import torch
from torch import nn


def for_each(items, action, repeat=2):
    results = []
    for _ in range(repeat):
        for item in items:  # never: XP201
            results.append(action(item))
    return results


def main():
    model = nn.Linear(8, 2).cuda()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

    def update(item):
        return item.shape[0]

    results = for_each(torch.randn(40, 8).split(8), update)
    print(len(results), model(torch.ones(1, 8).cuda()).sum().item())


main()
