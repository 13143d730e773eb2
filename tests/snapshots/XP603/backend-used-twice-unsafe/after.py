import torch.distributed as dist
import torch_xla
import torch_xla.distributed.xla_backend


def main():
    backend = "xla"
    print(backend)
    dist.init_process_group(backend, init_method="xla://")


def _mp_fn(index):
    main()


if __name__ == "__main__":
    torch_xla.launch(_mp_fn)
