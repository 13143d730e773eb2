import torch_xla.core.xla_model as xm

xm.mark_step()
xm.mark_step(wait=True)
xm.mark_step(reset_scope=False)
xm.mark_step(*waits)
hooks = [xm.mark_step]
