"""The table makes it after the move."""
import torch
from torch import nn

RULES = {"sgd": (torch.optim.SGD, {"lr": 0.1}), "adam": (torch.optim.Adam, {"lr": 1e-3})}


def make_rule(name, module):
    kind, options = RULES[name]
    return kind(module.parameters(), **options)  # never: XP203


def main(name="adam"):
    model = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))
    model.cuda()
    rule = make_rule(name, model)  # never: XP203
    for _ in range(10):
        x = torch.randn(16, 4).cuda()
        loss = model(x).pow(2).mean()
        rule.zero_grad()
        loss.backward()
        rule.step()
    print(name, loss.item())


main()
