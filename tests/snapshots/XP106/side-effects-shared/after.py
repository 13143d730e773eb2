import random

import torch
import torch_xla

torch_xla.manual_seed(random.randint(0, 99))
torch.manual_seed(random.randint(0, 99))
torch_xla.manual_seed(torch.initial_seed())
