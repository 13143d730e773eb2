import random

import torch

torch.cuda.manual_seed_all(random.randint(0, 99))
torch.manual_seed(random.randint(0, 99))
