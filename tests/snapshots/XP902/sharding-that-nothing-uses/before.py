import torch_xla.experimental.xla_sharding as xs
from torch_xla.experimental import xla_sharding
