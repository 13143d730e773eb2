import torch.distributed as dist


class DDP:
    def __init__(self, model, device_ids=None):
        self.model = model


print("nccl")
raise RuntimeError("nccl")
model = DDP(None, device_ids=[0])
