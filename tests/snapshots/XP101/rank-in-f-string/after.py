import os

import torch_xla

rank = int(os.environ["LOCAL_RANK"])
device = torch_xla.device()
