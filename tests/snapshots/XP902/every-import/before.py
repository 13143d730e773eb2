import torch_xla.experimental.pjrt
import torch_xla.experimental.pjrt as pjrt
import torch_xla.experimental.xla_sharding as xs
from torch_xla.experimental import pjrt as runtime
from torch_xla.experimental import pjrt as p, scan
from torch_xla.experimental.pjrt import world_size, global_ordinal as rank
from torch_xla.experimental.xla_sharding import Mesh
from torch_xla.experimental.xla_sharded_tensor import XLAShardedTensor

print(torch_xla.experimental.pjrt.device_type(), pjrt.local_ordinal(), runtime.process_count(), world_size(), rank())
mesh = xs.Mesh(ids, (4, 1), ("x", "y"))
xs.mark_sharding(weight, mesh, (0, 1))
