import torch.distributed as dist
import torch_xla.distributed.xla_backend

dist.init_process_group("xla", init_method="xla://")
