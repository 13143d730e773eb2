import torch.distributed as dist
import torch_xla
import torch_xla.distributed.xla_backend
from turns import first_goes_first


def read(path):
    with open(path) as file:
        return file.read()


def main():
    dist.init_process_group("xla", init_method="xla://")
    with first_goes_first(dist.get_rank()):
        print(read("vocabulary.txt"))


def _mp_fn(index):
    main()


if __name__ == "__main__":
    torch_xla.launch(_mp_fn)
