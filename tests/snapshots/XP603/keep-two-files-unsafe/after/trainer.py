import os

import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel as DDP


class Trainer:
    def __init__(self, model):
        self.local_rank = int(os.environ["LOCAL_RANK"])
        self.model = DDP(model.to(self.local_rank), device_ids=[self.local_rank])

    def train(self):
        dist.monitored_barrier()
