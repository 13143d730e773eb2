import torch_xla
import torch_xla.core.xla_model as xm

model = xm
model.mark_step()
runtime = torch_xla.core
rank = runtime.xla_model.get_ordinal()
self.xm = xm
self.xm.mark_step()
other = xm if flag else None
other.mark_step()
loop = loop.next
loop.mark_step()
