"""The option names a class of the program that does nothing."""
import types
import torch
from torch import nn


class Off:
    scale = staticmethod(lambda loss: loss)
    step = staticmethod(lambda rule: rule.step())
    update = staticmethod(lambda: None)


options = types.SimpleNamespace(scaler="Off", steps=6)
if options.scaler in globals():
    scaler = globals()[options.scaler]()
else:
    scaler = getattr(torch.cuda.amp, options.scaler)()  # never: XP503
model = nn.Linear(4, 2).cuda()
rule = torch.optim.SGD(model.parameters(), lr=0.1)
for _ in range(options.steps):
    loss = model(torch.randn(3, 4).cuda()).pow(2).mean()
    rule.zero_grad()
    scaler.scale(loss).backward()
    scaler.step(rule)
    scaler.update()
print(loss.item())
