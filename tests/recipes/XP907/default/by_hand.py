import torch.distributed as dist


def start(init_method="xla://"):
    dist.init_process_group("xla", init_method=init_method)
