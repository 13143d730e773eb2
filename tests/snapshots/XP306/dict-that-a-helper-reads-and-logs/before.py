import torch
import torch_xla
from torch import nn

device = torch_xla.device()
kept = {}


def log(name, value):
    kept[name] = value


def log_all(steps, values):
    for name, value in values.items():
        log(name, value.mean().item())
        for step, one in zip(steps.cpu().numpy(), value.detach().cpu().numpy()):
            log(f"{name}_{int(step)}", one)


model = nn.Linear(8, 4).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for x in [torch.randn(16, 8) for _ in range(6)]:
    steps = torch.randint(0, 10, (16,)).to(device)
    losses = {"loss": model(x.to(device)).square().mean(1)}
    loss = losses["loss"].mean()
    log_all(steps, {name: value * 2 for name, value in losses.items()})
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    torch_xla.sync()
