import torch_xla
import torch_xla.core.xla_model as xm
import torch_xla.distributed.parallel_loader as pl

step = torch_xla.compile(step, full_graph=True, max_different_graphs=2)
batches = pl.ParallelLoader(cpu_loader=loader, devices=devices)
print(xm.get_xla_supported_devices(devkind="TPU"), xm.get_xla_supported_devices("TPU"))
