import torch_xla.core.xla_model as xm
import torch_xla.runtime as xr
from torch.utils.data import DistributedSampler

sampler = DistributedSampler(data, num_replicas=xm.xrt_world_size(), rank=xm.get_ordinal(), shuffle=True)
rank = xm.get_ordinal(defval=0)
size = xm.xrt_world_size(1)
local = xm.get_local_ordinal(defval=-1)
logged = xm.get_ordinal(defval=log("no rank"))
spread = xm.get_ordinal(**options)
ranks = map(xm.get_ordinal, names)
if xr.using_pjrt() and rank == 0:
    print("PJRT")
