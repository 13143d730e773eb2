import torch_xla.core.xla_model as xm
import torch_xla

torch_xla.sync()
torch_xla.sync(wait=True)
xm.mark_step(reset_scope=False)
xm.mark_step(*waits)
hooks = [xm.mark_step]
