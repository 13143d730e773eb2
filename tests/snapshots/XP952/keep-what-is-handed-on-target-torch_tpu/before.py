import torch_xla
import torch_xla.core.xla_model as xm


def compute():
    print(1)
    return 1


hooks = [torch_xla.sync]
value = xm.mark_step()
torch_xla.sync(wait=compute())
with torch_xla.step() as step:
    print(step)
