from torch_xla.experimental import pjrt
from torch_xla.experimental.pjrt import using_pjrt, world_size

if using_pjrt():
    print(world_size(), pjrt.xla_device())
