import torch_xla.core.xla_model as xm
import torch_xla.experimental.pjrt as pjrt

device = xm.xla_device()
xm.mark_step()
rank = xm.get_ordinal()
size = xm.xrt_world_size(defval=1)
local = xm.get_local_ordinal(0)
pjrt.broadcast_master_param(model)
if pjrt.using_pjrt():
    print("PJRT")
