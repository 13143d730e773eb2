import torch_xla
import torch_xla.core.xla_model as xm
import torch_xla.runtime as xr

model = xm
torch_xla.sync()
runtime = torch_xla.core
rank = xr.global_ordinal()
self.xm = xm
self.xm.mark_step()
other = xm if flag else None
other.mark_step()
loop = loop.next
loop.mark_step()
