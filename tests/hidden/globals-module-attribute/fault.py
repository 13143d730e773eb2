"""A loop over a module-level tuple of names moves the models by globals()."""
import torch
from torch import nn

actor, critic, frozen = nn.Linear(3, 2), nn.Linear(2, 1), nn.Linear(3, 3)
frozen.to("cuda")
NAMES = ("actor", "critic")
PARAMETERS = [*actor.parameters(), *critic.parameters()]  # or: XP203|XP208
OPT = torch.optim.Adam(PARAMETERS, lr=1e-3)  # wants: XP203|XP208


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
