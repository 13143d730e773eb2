import os

import torch

device = torch.device("cuda:" + os.environ["LOCAL_RANK"])
