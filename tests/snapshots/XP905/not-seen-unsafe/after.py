import torch_xla.distributed.parallel_loader as pl

batches = pl.MpDeviceLoader(loader, device)
first = next(batches)
