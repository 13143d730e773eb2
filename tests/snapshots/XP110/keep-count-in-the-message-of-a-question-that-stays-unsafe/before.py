import torch
import torch.distributed as dist


def worker(rank, per_host, url, job):
    dist.init_process_group("gloo", init_method=url, world_size=per_host, rank=rank)
    if per_host > torch.cuda.device_count():
        raise ValueError(f"{per_host} processes for {torch.cuda.device_count()} GPUs")
    assert per_host <= torch.cuda.device_count(), "only %d GPUs" % torch.cuda.device_count()
    job(rank)
