import torch
import torch.distributed as dist
import torch_xla
import torch_xla.core.xla_model as xm
import torch_xla.distributed.xla_backend


def main(total, rank):
    dist.init_process_group("xla", init_method="xla://")
    dist.all_reduce(total[0], op=dist.ReduceOp.MAX)
    dist.broadcast(total[1], src=0)
    torch_xla.sync()
    if rank == 0:
        print(total)
    dist.all_reduce(total)
    xm.rendezvous("barrier")


def _mp_fn(index):
    main(*build())


if __name__ == "__main__":
    torch_xla.launch(_mp_fn)
