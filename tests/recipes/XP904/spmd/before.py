import torch_xla.distributed.xla_multiprocessing as xmp
import torch_xla.runtime as xr


def main(index):
    print(index)


xr.use_spmd()
xmp.spawn(main, args=())
