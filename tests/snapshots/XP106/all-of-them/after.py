import random

import numpy as np
import torch
import torch_xla


def seed_everything(seed: int) -> None:
    random.seed(seed)
    np.random.seed(seed)
    torch.manual_seed(seed)
    torch_xla.manual_seed(seed)
    torch.backends.cudnn.deterministic = True
