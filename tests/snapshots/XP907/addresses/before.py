import torch.distributed as dist
from torch.distributed import init_process_group

dist.init_process_group("xla", init_method="pjrt://")
init_process_group('xla', 'pjrt://')
