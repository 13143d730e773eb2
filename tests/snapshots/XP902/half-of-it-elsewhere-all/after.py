from torch_xla.runtime import world_size
import torch_xla

print(world_size(), torch_xla.device())
