import torch_xla.distributed.parallel_loader as pl

batches = pl.ParallelLoader(loader, [device]).per_device_loader(device)
evaluate(pl.ParallelLoader(loader, [device]).per_device_loader(device))
