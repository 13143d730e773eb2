"""The factory moves each net before its optimizer."""
from dataclasses import dataclass

import torch
from torch import nn


@dataclass
class Player:
    net: nn.Module
    optimizer: torch.optim.Optimizer
    wins: int = 0


def players(*names):
    table = {}
    for name in names:
        net = nn.Linear(6, 2).to("cuda")
        table[name] = Player(net, torch.optim.SGD(net.parameters(), lr=0.05))  # never: XP203
    return table


def main():
    device = torch.device("cuda")
    team = players("left", "right")
    for player in team.values():
        player.net.train()
    for step in range(20):
        x = torch.randn(12, 6, device=device)
        left, right = team["left"].net(x), team["right"].net(x)
        loss = (left - right).pow(2).mean()
        for player in team.values():
            player.optimizer.zero_grad()
        loss.backward()
        for player in team.values():
            player.optimizer.step()
    print(loss.item())


main()
