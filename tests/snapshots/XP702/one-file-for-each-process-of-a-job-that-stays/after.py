import os

import apex
import torch
import torch.distributed as dist
import torch_xla.core.xla_model as xm
from torch import nn


def main():
    rank = int(os.environ["RANK"])
    dist.init_process_group(backend="nccl")
    torch.cuda.set_device(rank % torch.cuda.device_count())
    model = apex.parallel.DistributedDataParallel(nn.Linear(4, 2).cuda())
    queue = torch.zeros(16, 4).cuda()
    path = os.path.join("queues", "queue" + str(rank) + ".pth")
    xm.save({"queue": queue}, path, master_only=False)
    xm.save(model.state_dict(), "model.pth")


if __name__ == "__main__":
    main()
