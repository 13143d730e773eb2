import random

import torch
import torch_xla


def set_seed(seed, model):
    torch.manual_seed(seed)
    random.seed(seed)
    torch_xla.manual_seed(seed)
    model.to(torch_xla.device())
