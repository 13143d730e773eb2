import torch
from processes import join
from torch import nn
from torch.nn.parallel import DistributedDataParallel


class Trainer:
    def __init__(self, model):
        self.model = model
        if torch.cuda.is_available():
            self.wrapped = DistributedDataParallel(model, device_ids=[0])
        else:
            self.wrapped = model


if __name__ == "__main__":
    join()
    Trainer(nn.Linear(4, 2).to("cuda"))
