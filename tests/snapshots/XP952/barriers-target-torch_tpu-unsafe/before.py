import torch
import torch_xla
import torch_xla.core.xla_model as xm

device = torch.device("tpu")
for x in range(3):
    with torch_xla.step():
        # the step
        y = torch.zeros(1, device=device)
    with torch.no_grad(), torch_xla.step():
        y = y + x
    if x % 2:
        torch_xla.sync()
    xm.mark_step()
    torch_xla.sync(wait=False)


@torch.no_grad()
@torch_xla.compile(full_graph=True)
def step(x):
    return x + 1


with torch_xla.compile():
    z = step(y)
