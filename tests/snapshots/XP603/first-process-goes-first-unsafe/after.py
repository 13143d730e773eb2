import torch.distributed as dist
import torch_xla
import torch_xla.core.xla_model as xm
import torch_xla.distributed.xla_backend
import torch_xla.runtime as xr


def prepare(rank, again):
    if rank not in [-1, 0] and not again:
        xm.rendezvous("barrier")
    print("read or make the cache")
    if rank == 0 and not again:
        xm.rendezvous("barrier")


def fetch(is_main):
    if is_main:
        print("fetch")
        xm.rendezvous("barrier")
    if not is_main:
        xm.rendezvous("barrier")


def main():
    dist.init_process_group("xla", init_method="xla://")
    rank = xr.local_ordinal()
    prepare(rank, again=False)
    fetch(dist.get_rank() == 0)
    if rank:
        xm.rendezvous("barrier")
    with open("vocabulary.txt") as file:
        words = file.read().split()
    if not rank:
        xm.rendezvous("barrier")
    print(len(words))


def _mp_fn(index):
    main()


if __name__ == "__main__":
    torch_xla.launch(_mp_fn)
