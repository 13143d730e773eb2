from torch import manual_seed
import torch_xla

manual_seed(3)
torch_xla.manual_seed(3)
