import torch_xla.runtime
import torch_xla.runtime as pjrt
import torch_xla.distributed.spmd as xs
from torch_xla import runtime
from torch_xla.experimental import scan
from torch_xla import runtime as p
from torch_xla.runtime import world_size, global_ordinal as rank
from torch_xla.distributed.spmd import Mesh
from torch_xla.distributed.spmd.xla_sharded_tensor import XLAShardedTensor

print(torch_xla.runtime.device_type(), pjrt.local_ordinal(), runtime.process_count(), world_size(), rank())
mesh = xs.Mesh(ids, (4, 1), ("x", "y"))
xs.mark_sharding(weight, mesh, (0, 1))
