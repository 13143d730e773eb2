from torch_xla.core.xla_model import *

print(xla_device())
