import random

import torch

torch.manual_seed(random.randint(0, 99))
