import logging

import torch.distributed as dist

"nccl"
logging.info("nccl")
print(f"backend: {'nccl'}")
parser.add_argument("--backend", help="nccl")
times = {"nccl": 1.0}
times["nccl"] += 1
raise ValueError("nccl")
