import torch
import torch_xla
import torch_xla.core.xla_model as xm
from torch import nn
from lib import tick, State
device = torch_xla.device()
model = nn.Sequential(*[nn.Linear(1024, 1024) for _ in range(6)]).to(device)
opt = torch.optim.SGD(model.parameters(), lr=0.01)

def main():
    stats = State()
    for i in range(8):
        x = torch.randn(512, 1024).to(device)
        loss = model(x).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        tick(stats)
        xm.add_step_closure(
            lambda i, loss, seen: print(i, loss.item(), seen),
            args=(i, loss, stats.seen),
            run_async=True,
        )
        torch_xla.sync()
main()
