import torch.multiprocessing as mp
import torch_xla.distributed.xla_multiprocessing as xmp

mp.spawn(work, args=(), nprocs=8)
wrapped = xmp.MpModelWrapper(model)
serial = xmp.MpSerialExecutor()


class Pool:
    def spawn(self, fn, nprocs):
        return self.spawn(fn, nprocs)  # xmp.spawn
