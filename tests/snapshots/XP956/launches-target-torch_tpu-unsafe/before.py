import torch_xla
import torch_xla.distributed.xla_multiprocessing as xmp


def main(index, flags=None):
    print(index, flags)


torch_xla.launch(main)
torch_xla.launch(main, args=({"lr": 1},), debug_single_process=True)
xmp.spawn(main, args=(None,), nprocs=8, start_method="fork")
