import mine.torch_xla.experimental.pjrt as pjrt
import torch_xla.experimental.scan as scan
import torch_xla.distributed.spmd as xs
from .torch_xla.experimental import xla_sharding

# import torch_xla.experimental.pjrt
pjrt.world_size()
