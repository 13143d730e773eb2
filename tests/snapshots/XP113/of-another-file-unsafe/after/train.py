import torch
import torch_xla

from poses import turned

torch.set_default_device(torch_xla.device())
print(turned(0.5))
