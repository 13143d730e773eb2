import torch_xla.core.xla_model as xm
import torch_xla.runtime as xr
from torch.utils.data import DistributedSampler

sampler = DistributedSampler(data, num_replicas=xr.world_size(), rank=xr.global_ordinal(), shuffle=True)
rank = xr.global_ordinal()
size = xr.world_size()
local = xr.local_ordinal()
logged = xm.get_ordinal(defval=log("no rank"))
spread = xm.get_ordinal(**options)
ranks = map(xm.get_ordinal, names)
if rank == 0:
    print("PJRT")
