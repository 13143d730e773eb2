import torch.distributed as dist

from hparams import BACKEND

dist.init_process_group(BACKEND)
