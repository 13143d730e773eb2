import torch.distributed as dist
import torch_xla
import torch_xla.core.xla_model as xm
import torch_xla.distributed.xla_backend


def main():
    dist.init_process_group("xla", init_method="xla://")
    is_main = dist.get_rank() == 0
    if is_main:
        xm.rendezvous("barrier")
    print("fetch")
    if is_main:
        xm.rendezvous("barrier")


def _mp_fn(index):
    main()


if __name__ == "__main__":
    torch_xla.launch(_mp_fn, debug_single_process=True)
