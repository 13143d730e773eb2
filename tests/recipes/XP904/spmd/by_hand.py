import torch_xla.runtime as xr


def main(index):
    print(index)


xr.use_spmd()
main(0)
