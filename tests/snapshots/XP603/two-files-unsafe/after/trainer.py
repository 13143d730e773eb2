import torch
import torch_xla.runtime as xr
from torch.nn.parallel import DistributedDataParallel as DDP


class Trainer:
    def __init__(self, model):
        self.local_rank = xr.local_ordinal()
        self.model = DDP(model.to(self.local_rank), gradient_as_bucket_view=True)

    def train(self):
        if self.local_rank == 0:
            print("start")
