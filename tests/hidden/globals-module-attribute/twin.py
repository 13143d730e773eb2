"""The tuple names the frozen model only."""
import torch
from torch import nn

actor, critic, frozen = nn.Linear(3, 2), nn.Linear(2, 1), nn.Linear(3, 3)
for part in (actor, critic):
    part.to("cuda")
NAMES = ("frozen",)
PARAMETERS = [*actor.parameters(), *critic.parameters()]  # never: XP203|XP208
OPT = torch.optim.Adam(PARAMETERS, lr=1e-3)  # never: XP203|XP208


def main():
    for name in NAMES:
        globals()[name].to("cuda")
    for _ in range(10):
        x = frozen(torch.randn(4, 3, device="cuda")).detach()
        loss = critic(actor(x)).pow(2).mean()
        OPT.zero_grad()
        loss.backward()
        OPT.step()
    return loss.item()


print(main())
