"""A closure in a closure asks whether the loss is too large."""
import torch
from torch import nn


def main(limit=1e3):
    model = nn.Linear(6, 1).cuda()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    skipped = 0

    def update(x):
        loss = model(x).pow(2).mean()

        def sound():
            return bool(loss < limit)  # wants: XP415|XP301|XP302|XP303|XP304|XP305|XP306|XP308

        optimizer.zero_grad()
        if sound():  # or: XP415|XP301|XP302|XP303|XP304|XP305|XP306|XP308
            loss.backward()
            optimizer.step()

    for _ in range(15):
        update(torch.randn(4, 6).cuda())
    print(model.weight.norm().item())


main()
