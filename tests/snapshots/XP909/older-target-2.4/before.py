import torch_xla
import torch_xla.distributed.parallel_loader as pl

torch_xla.sync(wait=True)
batches = pl.ParallelLoader(cpu_loader=loader, devices=devices)
