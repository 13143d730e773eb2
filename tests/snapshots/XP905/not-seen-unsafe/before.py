from torch_xla.distributed.parallel_loader import ParallelLoader

batches = ParallelLoader(loader, [device]).per_device_loader(device)
first = next(batches)
