import torch_xla

import torch; device = torch_xla.device()
