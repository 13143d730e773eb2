import torch_xla.runtime as pjrt
import torch_xla.experimental.xla_sharding as xs

print(pjrt.world_size(), xs.Mesh)
