import torch_xla.distributed.spmd as xs
from torch_xla.distributed import spmd as xla_sharding
